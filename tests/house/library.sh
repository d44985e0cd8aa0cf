#!/bin/sh
# The library exports viva_* alone, has no writable static data, does not print and does not exit.
set -eu
root=$1
build=$2

exported() { nm -D --defined-only "$1" | awk '{print $3}' | grep -v '^viva_' || true; }
# writable data of our own objects (b, d, common); tables of constants with addresses (.data.rel.ro) do not count
writable() {
  for object in "$@"; do
    objdump -t "$object" | awk -v f="$object" '($4 == ".data" || $4 == ".bss" || $4 == "*COM*" || $4 ~ /^\.(data|bss)\.[^r]/) && $3 ~ /O/ {print f ": " $NF}
      ($3 == ".data" || $3 == ".bss" || $3 == "*COM*") && $2 ~ /O/ {print f ": " $NF}'
  done
}
calls() { nm -u "$1" 2>/dev/null | awk '$1 == "U" {print $2}' | grep -xE 'printf|puts|putchar|fputs|fprintf|vfprintf|vprintf|fwrite|perror|exit|_exit|abort|stdout|stderr|setlocale|__printf_chk|__fprintf_chk' || true; }

bad=$(exported "$build/libviva.so")
[ -z "$bad" ] || { echo "exported beside viva_*: $bad"; exit 1; }
[ -n "$(nm -D --defined-only "$build/libviva.so" | grep ' viva_run_model')" ] || { echo "viva_run_model is not exported"; exit 1; }

objects=$(find "$build/CMakeFiles/viva_objects.dir" -name '*.o')
bad=$(writable $objects)
[ -z "$bad" ] || { echo "writable static data:"; echo "$bad"; exit 1; }
bad=$(calls "$build/libviva.a")
[ -z "$bad" ] || { echo "the library calls: $bad"; exit 1; }

# every public function is described where it is declared
for f in $(nm -D --defined-only "$build/libviva.so" | awk '{print $3}'); do
  cat "$root"/include/viva/*.h | grep "$f(" > /dev/null || { echo "$f is in no header"; exit 1; }
done

# the broken twins
twin=$(mktemp -d)
trap 'rm -rf "$twin"' EXIT
printf '#include <stdio.h>\nint counter = 3;\nstatic int hidden;\nint leak(void) { printf("x"); return ++hidden + counter; }\n' > "$twin/t.c"
cc -fPIC -c "$twin/t.c" -o "$twin/t.o"
cc -shared "$twin/t.o" -o "$twin/t.so"
ar rc "$twin/t.a" "$twin/t.o"
[ -n "$(exported "$twin/t.so")" ] || { echo "the check of exports notices nothing"; exit 1; }
[ "$(writable "$twin/t.o" | sort -u | wc -l)" -ge 2 ] || { echo "the check of static data notices nothing"; exit 1; }
[ -n "$(calls "$twin/t.a")" ] || { echo "the check of calls notices nothing"; exit 1; }
