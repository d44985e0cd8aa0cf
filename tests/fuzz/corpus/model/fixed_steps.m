state x = 1
x' = -x
simulate to 1 step 0.25 every 0.5 by rk4
