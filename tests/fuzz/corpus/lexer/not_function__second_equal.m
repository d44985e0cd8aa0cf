coord x
kinetic 1/2*x'^2
let a = if(x > 0, 1, 2)(3)
