param k = 2
coord x = 1
state s = 3
input u = t
let v = [x, 2*x], w = k*x
s' = -s + x''
kinetic 1/2*x'^2
potential 1/2*k*x^2
force x = u
output w, a = x'', e = energy.stored
