coord x[i] for i in 1 .. 100000000
let s = sum(1, i, 1, 100000000)
