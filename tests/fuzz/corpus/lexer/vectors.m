param m = [1, 2; 3, 4], v = [1, 2, 3] [mm]
let w = [2, 0, 1]
output a = dot(v, w), b = cross(v, w), c = transpose(m), d = inverse(m)*[1, 1], e = diag(1, 2), f = m[2,1], g = |w|, h = 2*w - w/2, k = m*m, n = v.y
