coord x
state s
s' = 1
kinetic 1/2*x''^2
potential x''
lagrangian x'^2 + s'
