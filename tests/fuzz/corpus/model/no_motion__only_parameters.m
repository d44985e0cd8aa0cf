param a = 1
