coord x
let a = 0 < x < 1
