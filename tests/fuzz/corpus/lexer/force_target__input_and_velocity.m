coord x
input u
kinetic 1/2*x'^2
force u = 1
force x' = 2
