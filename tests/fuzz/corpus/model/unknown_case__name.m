case a: x = 2
case b: x = 3, simulate to 4
coord x = 1
kinetic 1/2*x'^2
potential 1/2*x^2
