let A = [1 2; 3 4]
let v = [a b]
