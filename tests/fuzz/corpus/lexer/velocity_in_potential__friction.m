coord x
kinetic 1/2*x'^2
potential 3*x*x'
