coord x
kinetic 1/2·x'^2
potential 3 − x
let a = x²
let b = {1}
let c = 1 % 2
let d = a & b
