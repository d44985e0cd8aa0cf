param n = 3, m = [1, 2, 3]
coord x[i] = i for i in 1 .. n
kinetic 1/2*m[i]*x[i]'^2 for i in 1 .. n
potential 1/2*(x[i] - x[j])^2 for i in 1 .. n for j in 1 .. i-1
output s = sum(x[i]^2, i, 1, n), x[2]
