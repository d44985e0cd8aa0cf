param t = 1, pi = 3
coord for
fun sin(x) = x
