coord th[i] for i in 1 .. 3
kinetic 1/2*th[i]'^2 for i in 1 .. 4
