param a = 1 [mm], b = 2 [kN/m], c = 90 [deg], d = 60 [rpm], e = 4e-7*pi [H/m], f = [1, 2] [cm], g = 1 [m] + 4 [mm], h = 2 + 4 [mm], k = 3*2^2 [mm], l = 1 [1/min]
output a, b, c, d, e, f, g, h, k, l
