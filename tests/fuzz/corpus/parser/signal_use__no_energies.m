state s
s' = 1
output e = energy.stored
