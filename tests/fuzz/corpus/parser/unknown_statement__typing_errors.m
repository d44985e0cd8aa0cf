parm a = 1
kinetc 1/2*x'^2
k = 3
foo bar
