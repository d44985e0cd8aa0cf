param k = 1
coord x = 1
input u = 0
kinetic 1/2*x'^2
potential 1/2*k*x^2
force x = u
simulate to 1 step 1
case push: u = 2*t, x = 0, k = 4 [N/m], x' = 1, simulate to 2 step 2
