coord x, y
kinetic 1/2*x'^2
