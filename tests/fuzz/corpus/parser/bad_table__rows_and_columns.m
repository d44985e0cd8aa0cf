coord x
kinetic 1/2*x'^2
input a = table("a.csv", "u", t), b = table("b.csv", "u", t), c = table("c.csv", "u", t)
input d = table("d.csv", "u", t), e = table("e.csv", "u", t), f = table("empty.csv", "u", t)
input g = table(a, "u", t)
