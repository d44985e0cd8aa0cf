let a = b + 1
let b = 2*c
let c = a^2
param p = q, q = p
input u = v, v = u
