coord x
state s
param p = 1
input u
x' = 1
s'' = 2
p' = 3
u' = 4
q' = 5
