title "Lexical rules"   # a comment
param a = 1,
      b = 2
let sum1 = a +
  b
let list = [1,
  2,
  3]
let power1 = 2^-1, power2 = -2^2, power3 = 2^3^2
let chain1 = 1 < 2 and not 2 < 1 or 1 == 2
let bars = |3 - |1 - 5||
let θ = pi/2, mü = 1
output sum1, list, power1, power2, power3, chain1, bars, s = sin(θ), y = list[2], z = list.z, mü
