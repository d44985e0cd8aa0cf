state x = 1
let root = sqrt(x)
x' = -1/root
simulate to 5 step 0.1
