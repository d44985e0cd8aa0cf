#!/bin/sh
# Each public header compiles as C and C++ without anything before it, and the example program builds against an
# installed copy and runs.
set -eu
root=$1
build=$2
twin=$(mktemp -d)
trap 'rm -rf "$twin"' EXIT
for header in "$root"/include/viva/*.h; do
  echo "#include <viva/$(basename "$header")>" > "$twin/a.c"
  cp "$twin/a.c" "$twin/a.cpp"
  cc -std=c99 -Wall -Wextra -Wpedantic -Werror -I"$root/include" -c "$twin/a.c" -o "$twin/a.o"
  c++ -Wall -Wextra -Werror -I"$root/include" -c "$twin/a.cpp" -o "$twin/b.o"
done
cmake --install "$build" --prefix "$twin/usr" > /dev/null
sed -i "s|^prefix=.*|prefix=$twin/usr|" "$(find "$twin/usr" -name viva.pc)"
PKG_CONFIG_PATH=$(dirname "$(find "$twin/usr" -name viva.pc)")
export PKG_CONFIG_PATH
flags=$(pkg-config --cflags --libs viva)
lib=$(dirname "$(find "$twin/usr" -name libviva.so)")
# shellcheck disable=SC2086
cc -std=c99 -Wall -Wextra -Werror "$root/examples/api/swing.c" $flags -Wl,-rpath,"$lib" -lm -o "$twin/swing"
"$twin/swing" "$root/examples/inverted_pendulum.viva" > "$twin/out"
grep -q '^th = ' "$twin/out" || { cat "$twin/out"; exit 1; }
"$twin/usr/bin/viva" --version | grep -q '^viva '
