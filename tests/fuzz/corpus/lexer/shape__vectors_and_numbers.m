coord x
let v = [1, 2]
let A = [1, 2; 3, 4]
let a = v + 1
let b = v*v
let c = v^2
let d = 1/v
let e = A'*[1, 2, 3]
let f = |A|
let g = x.y
kinetic v
let h = cross(v, v)
let i = sin(v)
let j = "text" + 1
force x = v
