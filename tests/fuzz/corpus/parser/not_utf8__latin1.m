coord x
# año
kinetic 1/2*x'^2
let été = 1
