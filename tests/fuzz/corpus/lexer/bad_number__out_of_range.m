param a = 1e999, b = 1e-999, c = 1., d = .5
