param mass = 1
input force
let a = 3
coord x = 1
kinetic 1/2*x'^2
potential 1/2*x^2
