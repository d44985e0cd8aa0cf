param n
coord x[i] for i in 1 .. n
coord y
force y
