param a = 1
coord x = 1, a
kinetic 1/2*x'^2
init x = 2
state s
s' = 1
s' = 2
simulate to 1
simulate to 2
title "A"
title "B"
