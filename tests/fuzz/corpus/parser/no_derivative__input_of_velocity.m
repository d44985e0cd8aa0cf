coord x
input u = x'
kinetic 1/2*x'^2
potential 1/2*(x - u')^2
