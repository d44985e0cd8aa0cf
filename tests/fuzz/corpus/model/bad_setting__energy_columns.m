state s = 1
s' = -s
