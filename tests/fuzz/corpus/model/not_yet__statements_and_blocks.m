coord x
kinetic 1/2*x'^2
constraint x = 1
let y = delay(x, 1)
when x < 0 do stop
use "a.viva" as b
