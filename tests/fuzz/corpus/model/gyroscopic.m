# a charged particle in a magnetic field, a potential that depends on velocities
param m = 1, q = 1, B = 2
coord x = 1, y
init x' = 1
kinetic 1/2*m*(x'^2 + y'^2)
lagrangian 1/2*q*B*(x*y' - y*x')
