param k = 2
coord x
potential k(x)
let y = k(x)(2)
