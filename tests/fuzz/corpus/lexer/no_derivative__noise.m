coord x
kinetic 1/2*x'^2
input u = noise(1, 0.1)
let n = noise(1, 0.1)
let m = n'
output a = energy.stored'
