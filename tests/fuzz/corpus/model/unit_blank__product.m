param J = 1 [kg m^2]
