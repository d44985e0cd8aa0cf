u
t,u
0
