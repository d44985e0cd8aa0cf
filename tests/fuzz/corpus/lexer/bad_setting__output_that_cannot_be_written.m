coord x = 1
kinetic 1/2*x'^2
potential 1/2*x^2
simulate to 1 step 0.001
