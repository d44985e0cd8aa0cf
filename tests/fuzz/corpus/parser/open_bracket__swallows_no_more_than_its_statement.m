coord x
kinetic 1/2*(x'^2 + 3*[1, 2
potential 1/2*k*x^2
