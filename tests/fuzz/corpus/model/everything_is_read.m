coord x = 1
let P = [x, 0]
kinetic 1/2*x'^2
potential 1/2*x^2
plot x
plot x' against x
draw rod [0, 0] P, mass P, trail (P + [0, 1]), spring [0, 0] P, cart P, ground [0, 0], vector P P
fit x in -1 .. 1 to "d.csv" by x, x' = "v"
guess x' = 2
