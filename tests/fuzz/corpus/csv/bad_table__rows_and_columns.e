u
t,u
