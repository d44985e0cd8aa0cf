param k = 1
coord x
kinetic 1/2*x'^2
init k = 2, z = 3
fit kk in 0 .. 1 to "d.csv" by x
