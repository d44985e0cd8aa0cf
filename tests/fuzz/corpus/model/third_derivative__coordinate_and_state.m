coord x
state s
s' = 1
kinetic 1/2*x'^2
output a = x''', b = s''
