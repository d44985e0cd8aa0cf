coord x = 1
input a = sin(t)
kinetic 1/2*exp(t)*x'^2
potential 1/2*exp(t)*(x - a)^2
dissipation 1/2*(x' - a')^2
x0' = 3
state x0
