# The order of files inside rooms, written (write=1: the new text of order.txt) or checked (one line for each fault).
#   in    three files: order.txt; a line for each file of src/; a line "FROM TO" for each use, both as room/name.ending
# A name x in the list stands for x.c and its header; x.h for a header alone, or one that stands apart from its x.c, which
# comes later, because files between the two need it.
FNR == 1 { input++ }

# ---- order.txt
input == 1 && (/^#/ || /^[<=>|]/ || !NF) { if (/^#/) heads = heads $0 "\n"; next } # marks of a merge are passed over
input == 1 {
  if (/^[^ ]/) {
    line = $0
    sub(/:.*/, "", line)
    knot = sub(/^knot /, "", line)
    room = line
    knots += knot
    sub(/^[^:]*:/, "")
    if (!knot && !(room in room_at)) room_name[room_at[room] = ++rooms] = room
  }
  for (i = 1; i <= NF; i++) {
    if (knot) knot_of[room "/" $i] = knots
    else if (!((room "/" $i) in at)) at[room "/" $i] = ++places
    else if (!write) fault(room "/" $i " is listed twice")
  }
  next
}

# ---- the files
input == 2 {
  files[++file_count] = $1
  there[$1] = 1
  next
}

# ---- the uses
{
  if (!($1 in there) || !($2 in there) || (($1, $2) in used)) next
  used[$1, $2] = 1
  out[$1] = out[$1] " " $2
  use_from[++use_count] = $1
  use_to[use_count] = $2
}

END {
  if (write) write_all()
  else check_all()
}

function fault(text) { print text; bad = 1 }
function room_of(file) { return substr(file, 1, index(file, "/") - 1) }
function base_of(file) { sub(/\.[a-z]*$/, "", file); return file }
# the name under which the list has a file; "": it has not
function listed(file) {
  if (file in at) return file
  if ((base_of(file) in at) && (file ~ /\.c$/ || (base_of(file) ".c") in there)) return base_of(file)
  return ""
}

function check_all(   i, a, b, name, la, lb) {
  for (i = 1; i <= file_count; i++) {
    if (listed(files[i]) == "") fault(files[i] " is not listed")
    seen[listed(files[i])] = 1
  }
  for (name in at) if (!(name in seen)) fault(name " is listed, but not there")
  for (i = 1; i <= use_count; i++) {
    a = use_from[i]
    b = use_to[i]
    la = listed(a)
    lb = listed(b)
    if (la == "" || lb == "") continue
    if (room_of(a) != room_of(b)) {
      if (room_at[room_of(a)] < room_at[room_of(b)]) fault(a " uses " b ", whose room comes after its own")
    } else if (at[la] < at[lb]) {
      if (!one_knot(base_of(a), base_of(b))) fault(a " uses " b ", which comes after it")
    }
  }
  # an exception that nobody needs: its files do not use each other in a circle any more
  for (name in knot_of) {
    if (!((name ".c") in there)) fault(name " of a knot is not there")
    else if (!reaches_itself(name ".c")) fault(name " is listed in a knot, but is in none")
  }
}

function one_knot(a, b) { return (a in knot_of) && (b in knot_of) && knot_of[a] == knot_of[b] }

# Is there a circle through `from` inside its knot?
function reaches_itself(from,   todo, count, i, n, to, gone, f) {
  todo[count = 1] = from
  while (count > 0) {
    f = todo[count--]
    n = split(out[f], to, " ")
    for (i = 1; i <= n; i++) {
      if (!one_knot(base_of(from), base_of(to[i]))) continue
      if (to[i] == from) return 1
      if (!(to[i] in gone)) { gone[to[i]] = 1; todo[++count] = to[i] }
    }
  }
  return 0
}

# ---- writing: knots become one, then headers join their .c where no file stands between them, then depth first along the old
# order, so that a list that holds is written as it is

function write_all(   i, r, n) {
  printf "%s", heads
  for (i = 1; i <= file_count; i++) group[files[i]] = members_of[i] = i
  for (i = 1; i <= file_count; i++) if (!(room_of(files[i]) in room_at)) room_name[room_at[room_of(files[i])] = ++rooms] = room_of(files[i])
  for (i = 1; i <= file_count; i++) join_knot(i)
  for (i = 1; i <= file_count; i++) if (files[i] !~ /\.c$/ && (base_of(files[i]) ".c") in there) join_header(files[i], base_of(files[i]) ".c")
  sort_files()
  for (r = 1; r <= rooms; r++) {
    text = knot_lines = ""
    for (n = 1; n <= file_count; n++) if (room_of(files[order[n]]) == room_name[r]) emit(group[files[order[n]]])
    if (text != "") put(room_name[r] ":" text)
    printf "%s", knot_lines
  }
}

# Which groups are reached from group g, without the step directly to `skip`? Fills reach[].
function reach_from(g, skip,   todo, count, i, k, n, to, f, first, own, owns) {
  split("", reach)
  todo[count = 1] = g
  first = 1
  while (count > 0) {
    f = todo[count--]
    owns = split(members_of[f], own, " ")
    for (i = 1; i <= owns; i++) {
      n = split(out[files[own[i]]], to, " ")
      for (k = 1; k <= n; k++) {
        if (room_of(to[k]) != room_of(files[own[i]])) continue
        if ((first && group[to[k]] == skip) || group[to[k]] in reach) continue
        reach[group[to[k]]] = 1
        todo[++count] = group[to[k]]
      }
    }
    first = 0
  }
}

# All files that reach file i and are reached by it become its group.
function join_knot(i,   k, mine) {
  if (group[files[i]] != i || files[i] !~ /\.c$/) return
  reach_from(i, 0)
  if (!(i in reach)) return
  for (k in reach) mine[k] = 1
  for (k in mine) {
    if (k == i || files[k] !~ /\.c$/) continue
    reach_from(k, 0)
    if (i in reach) members[k] = i
  }
  for (k = 1; k <= file_count; k++) if (members[k] == i) { move(group[files[k]], i); knotted[i] = 1 }
}

function join_header(header, body,   a, b) {
  a = group[header]
  b = group[body]
  if (a == b) return
  reach_from(b, a)
  if (a in reach) return
  reach_from(a, b)
  if (b in reach) return
  move(a, b)
}

# The files of group a become files of group b.
function move(a, b,   k, n, own) {
  if (a == b) return
  n = split(members_of[a], own, " ")
  for (k = 1; k <= n; k++) group[files[own[k]]] = b
  members_of[b] = members_of[b] " " members_of[a]
  members_of[a] = ""
}

# order[]: places in files[], by the old list, what is new by the alphabet behind it
function place(file) { return listed(file) != "" ? at[listed(file)] : 1000000 }
function sort_files(   i, k, w) {
  for (i = 1; i <= file_count; i++) order[i] = i
  for (i = 2; i <= file_count; i++) {
    w = order[i]
    for (k = i - 1; k >= 1 && (place(files[order[k]]) > place(files[w]) || (place(files[order[k]]) == place(files[w]) && files[order[k]] > files[w])); k--) order[k + 1] = order[k]
    order[k + 1] = w
  }
}

function emit(g,   i, k, n, to, f, names, name) {
  if (g in done) return
  done[g] = 1
  for (i = 1; i <= file_count; i++) {
    f = files[order[i]]
    if (group[f] == g || !(uses_group(g, f))) continue
    emit(group[f])
  }
  for (i = 1; i <= file_count; i++) {
    f = files[order[i]]
    if (group[f] != g) continue
    name = f ~ /\.c$/ || group[base_of(f) ".c"] == g ? base_of(f) : f
    sub(/.*\//, "", name)
    if (index(names " ", " " name " ") == 0) names = names " " name
  }
  text = text names
  if (g in knotted) knot_lines = knot_lines folded("knot " room_of(files[g]) ":" knot_names(g))
}
function knot_names(g,   i, f, names) {
  for (i = 1; i <= file_count; i++) {
    f = files[order[i]]
    if (group[f] != g || f !~ /\.c$/) continue
    f = base_of(f)
    sub(/.*\//, "", f)
    names = names " " f
  }
  return names
}
function uses_group(g, f,   i, n, own) {
  n = split(members_of[g], own, " ")
  for (i = 1; i <= n; i++) if (((files[own[i]], f) in used) && room_of(files[own[i]]) == room_of(f)) return 1
  return 0
}

function put(line) { printf "%s", folded(line) }
function folded(line,   cut, whole) {
  while (length(line) > 118) {
    for (cut = 118; substr(line, cut, 1) != " "; cut--) {}
    whole = whole substr(line, 1, cut - 1) "\n"
    line = "  " substr(line, cut + 1)
  }
  return whole line "\n"
}
