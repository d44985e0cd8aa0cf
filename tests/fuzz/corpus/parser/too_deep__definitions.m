let a[i] = a[i+1] + 1 for i in 1 .. 5000
let a[5001] = 1
