coord x = t, y = x
param a = x, b = t
let v = [1, 2]
let e = v[x]
input u = x''
simulate to x
