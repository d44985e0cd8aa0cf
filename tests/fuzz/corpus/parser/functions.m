output a = [sqrt(4), exp(0), ln(1), log10(100), sin(0), cos(0), tan(0), asin(1), acos(1), atan(1), atan2(1, -1)]
output b = [sinh(1), cosh(1), tanh(1), abs(-2), sign(-3), min(3, 1, 2), max(3, 1, 2), floor(-1.5), mod(-1, 3)]
output c = [step(t - 1), ramp(t - 1), if(t > 1, 5, 7), t == 2, t != 2, t <= 2, t >= 3]
