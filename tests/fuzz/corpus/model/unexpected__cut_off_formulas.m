coord x,
kinetic 1/2*
potential (1 + )
let a = = 3
let b = 3)
let = 4
let c = 1 = 2
3 + 4
simulate from 1
