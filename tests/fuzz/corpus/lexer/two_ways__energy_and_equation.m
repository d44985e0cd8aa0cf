coord x
kinetic 1/2*x'^2
x'' = -x
