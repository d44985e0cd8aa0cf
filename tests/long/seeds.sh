#!/bin/sh
# Laws with other seeds, and more of what they try.
set -eu
build=$2
for seed in 1 2 3 5 8 13 21 34 55 89 144 233 377 610 987 1597 2584 4181 6765 10946; do
  VIVA_SEED=$seed "$build/tests/laws_law_expressions" > /tmp/viva-seed.$$ 2>&1 || { cat /tmp/viva-seed.$$; rm -f /tmp/viva-seed.$$; exit 1; }
  VIVA_SEED=$seed VIVA_COUNT=300 "$build/tests/laws_law_held" > /tmp/viva-seed.$$ 2>&1 || { cat /tmp/viva-seed.$$; rm -f /tmp/viva-seed.$$; exit 1; }
  VIVA_SEED=$seed "$build/tests/laws_law_diagram" > /tmp/viva-seed.$$ 2>&1 || { cat /tmp/viva-seed.$$; rm -f /tmp/viva-seed.$$; exit 1; }
done
rm -f /tmp/viva-seed.$$
echo "20 seeds"
