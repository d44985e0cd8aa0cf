# an added mass as a force
param m = 2, a = 1
coord x = 1
kinetic 1/2*m*x'^2
potential 1/2*x^2
force x = -a*x''
