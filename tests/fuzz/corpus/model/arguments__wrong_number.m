coord x
fun f(a, b) = a + b
let y = f(x)
let z = sin(x, 1)
let w = atan2(x)
let v = f'(x, x)
