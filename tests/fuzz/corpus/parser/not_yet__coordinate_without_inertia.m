coord q1, q2
kinetic 1/2*q2'^2
potential 1/2*(q1 - q2)^2
