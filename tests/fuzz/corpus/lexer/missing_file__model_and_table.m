input u = table("no.csv", "u", t)
coord x = 1
kinetic 1/2*x'^2
potential 1/2*x^2
