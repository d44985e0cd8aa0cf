coord x
kinetic 1/2*x'^2
potential x - x
