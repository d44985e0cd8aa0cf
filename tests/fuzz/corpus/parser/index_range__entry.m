let v = [1, 2, 3]
let a = v[4]
let b = v[0]
let c = [1, 2].z
let M = [1, 2; 3, 4]
let d = M[2]
