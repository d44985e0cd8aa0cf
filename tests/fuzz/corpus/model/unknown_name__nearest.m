coord th1, theta2
param mass = 1
kinetic 1/2*mas*th1'^2 + 1/2*theta3'^2 + 1/2*Mass*th2'^2
let a = energy.kinetc
force thx = 1
