param k
coord x = 1
kinetic 1/2*x'^2
potential 1/2*k*x^2
