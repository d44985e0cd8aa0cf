fun f(x) = g(x) + 1
fun g(x) = f(x)
let a = f(1)
