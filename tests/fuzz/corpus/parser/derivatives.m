coord x = 2
init x' = 3
input u = t^3
fun f(s) = s^3
kinetic 1/2*x'^2
output a = (x^2)', b = u', c = u'', d = f'(x), e = f''(x), g = [x, x^2]', h = (x*t)'', k = sin(u)'
