# The manual page has every option that the help of a command has: in the synopsis of the command, and described in its
# section, in that of several commands or in that of `run`.
#   sh manual.sh ROOT BUILD
viva=$2/viva
page=$1/docs/viva.1
bad=0
fail() { echo "FAILED: $*"; bad=1; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# names of options in text of the page, a line each
flags() { grep -oE '(Fl|[|,]) -?[a-z][-a-z0-9]*' | sed -E 's/^(Fl|[|,]) //; s/^-/--/; s/^([a-z])/-\1/' | sort -u; }
synopsis() {
  awk -v key="$1" '
    /^\.Sh /{ on = $2 == "SYNOPSIS" }
    on && /^\.Nm/{ words = ""; here = 0; next }
    on && /^\.Cm/{ for (i = 2; i <= NF; i++) if ($i != "Cm") words = words (words == "" ? "" : " ") $i; here = words == key; next }
    on && here' "$page" | flags
}
section() { awk -v key="$1" '/^\.S[hs] /{ here = index($0, key) } here' "$page" | flags; }
(section 'Ss run'; section 'Ss derive, run, fit'; section 'Ss All verbs') > "$work/common"

for command in derive run linearize analyze equilibrium check diff animate diagram report 'export c' 'export latex' 'export dot' import fit \
  sensitivity sweep; do
  synopsis "$command" > "$work/synopsis"
  (section "Ss $command"; cat "$work/common") > "$work/section"
  for option in $($viva $command --help | sed -n 's/^  \(-[-a-z0-9]*\)[ ,].*/\1/p'); do
    case $option in -h | --help | --confine) continue ;; esac
    grep -qxF -e "$option" "$work/section" || fail "viva $command $option is not described"
    grep -qxF -e "$option" "$work/synopsis" || fail "viva $command $option is not in the synopsis"
  done
done
exit $bad
