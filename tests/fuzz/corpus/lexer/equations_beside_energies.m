# a plant by its energies, a motor by its equation, a filter of second order
param L = 0.1, R = 1, K = 0.2
coord th, f
state i
input U = 1
kinetic 1/2*0.01*th'^2
force th = K*i
i' = (U - R*i - K*th')/L
f'' = 100*(th - f) - 20*f'
