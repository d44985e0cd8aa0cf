u t, v 0, 1
