coord x
let a = 1/0
let b = x/(2 - 2)
let c = 0^-1
