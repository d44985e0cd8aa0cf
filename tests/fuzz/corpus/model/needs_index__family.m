coord th[i] for i in 1 .. 3
kinetic 1/2*th'^2
