param a = 3,5
