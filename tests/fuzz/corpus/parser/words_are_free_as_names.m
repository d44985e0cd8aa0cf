state load = 1, length = 2, every = 3
param to = 1, by = 2, step = 3, lambda = 4, kinetic = 5
load' = -load
length' = to + by
every' = step*step(t - 1)
output load, length, every, lambda, kinetic
simulate to to step by/2
