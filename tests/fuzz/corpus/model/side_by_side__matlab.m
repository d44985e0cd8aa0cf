param k = 2
coord x
kinetic 0.5x'^2
potential 2(x + 1)
let a = k x
