param a = ln(-1), b = a + 1
coord x = 1
kinetic 1/2*x'^2
