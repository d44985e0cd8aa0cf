# Knots of a graph: sets of nodes that all reach each other (strongly connected, Tarjan 1972).
#   in    a line "FROM TO" for each edge
#   out   a line "COUNT NAME NAME ..." for each set of two and more, names in order of the alphabet
$1 != $2 && !(($1, $2) in seen) {
  seen[$1, $2] = 1
  if (!($1 in out)) nodes[++node_count] = $1
  out[$1] = out[$1] " " $2
}

# depth first; low: the oldest node on the stack that v reaches
function visit(v,   to, n, i, w, set, count) {
  index_of[v] = low[v] = ++visited
  stack[++top] = v
  on[v] = 1
  n = split(out[v], to, " ")
  for (i = 1; i <= n; i++) {
    w = to[i]
    if (!(w in index_of)) {
      visit(w)
      if (low[w] < low[v]) low[v] = low[w]
    } else if (on[w] && index_of[w] < low[v]) low[v] = index_of[w]
  }
  if (low[v] != index_of[v]) return
  do {
    w = stack[top--]
    on[w] = 0
    set[++count] = w
  } while (w != v)
  if (count > 1) show(set, count)
}

function show(set, count,   i, k, w, line) {
  for (i = 2; i <= count; i++) {
    w = set[i]
    for (k = i - 1; k >= 1 && set[k] > w; k--) set[k + 1] = set[k]
    set[k + 1] = w
  }
  line = count
  for (i = 1; i <= count; i++) line = line " " set[i]
  print line
}

END {
  for (i = 1; i <= node_count; i++) if (!(nodes[i] in index_of)) visit(nodes[i])
}
