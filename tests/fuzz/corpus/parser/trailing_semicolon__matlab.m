param a = 1;
