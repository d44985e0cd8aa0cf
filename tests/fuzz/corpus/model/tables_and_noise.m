input u = table("u.csv", "u", t), n = noise(3, 0.5)
output u, du = u', n
