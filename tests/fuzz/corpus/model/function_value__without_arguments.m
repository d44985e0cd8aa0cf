fun f(x) = x^2
fun c(x) = 3
let a = f + 1
let b = inverse(f)
let d = inverse(c)(2)
