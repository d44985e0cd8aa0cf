param n = 2.5
coord th[i] for i in 1 .. n
let v = [1, 2]
let a = v[pi]
