coord x, y
kinetic 1/2*x'^2
y'' = y''^2 + x''
