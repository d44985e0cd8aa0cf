coord x
let a = sine(x)
let b = log(x)
let c = arctan(x)
