param n = 3
coord x[i] = i for i in 1 .. n
let y[i,1] = 2
let z[1.5] = 1
