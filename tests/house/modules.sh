# Modules and compiled code come from where the library lies, never from the current folder, nor from folders that others can
# change.
#   sh modules.sh ROOT BUILD
root=$1
build=$2
dir=$(mktemp -d)
bad=0
fail() { echo "FAILED: $*"; bad=1; }
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
chmod 755 "$dir"

# modules that tell when they are loaded
cat > evil.c <<'END'
#include <stdio.h>
__attribute__((constructor)) static void loaded(void) {
  FILE *f = fopen("LOADED", "w");
  if (f) fclose(f);
}
END
cc -shared -fPIC -o evil.so evil.c || exit 1
mkdir -p bin work/viva work/tests/viva
for name in viva-exact.so viva-balls.so libviva-solvers.so viva-algebra; do
  for folder in work work/viva work/tests/viva .; do cp evil.so $folder/$name; done
done

# a program with the static library, started by PATH, by a relative path, and through a link
cat > host.c <<'END'
#include "viva/viva.h"
#include <stdio.h>
int main(void) {
  static const char text[] = "coord x = 1\nkinetic 1/2*x'^2\npotential 1/2*x^2\nsimulate to 1 by bdf\n";
  viva_model *model;
  viva_check *check = NULL;
  viva_run *run = NULL;
  char *derived = NULL;
  if (viva_model_parse("m", text, sizeof text - 1, NULL, &model) != VIVA_OK) return 3;
  viva_check_equations(model, "e", "x'' = -x*(sqrt(x^2 + 1) - 1)/(sqrt(x^2 + 1) - 1)", 49, &check);
  viva_check_free(check);
  viva_check_equations(model, "e", "exp(x) = exp(x) + x''", 21, &check);
  viva_check_free(check);
  viva_derive_options o = viva_derive_defaults();
  o.form = VIVA_FORM_SOLVED;
  viva_derive(model, &o, &derived);
  viva_text_free(derived);
  viva_run_model(model, NULL, NULL, &run);
  viva_run_free(run);
  viva_model_free(model);
  puts("ran");
  return 0;
}
END
libraries=$(sed -n 's/^Libs.private: *//p' "$build/viva.pc")
cc -I"$root/include" -o bin/host host.c "$build/libviva.a" $libraries -lgmp -lsleef -lexpat -lm -ldl -lpthread || fail "a program with the static library"
cd work || exit 1
for way in 'PATH=../bin:$PATH host' 'PATH=$dir/bin:$PATH host' '../bin/host' 'cd tests; ../../bin/host'; do
  out=$(eval "$way" 2>&1)
  [ "$out" = ran ] || fail "$way: $out"
  [ -z "$(find "$dir" -name LOADED)" ] || fail "$way loads a module from the current folder"
  rm -f LOADED tests/LOADED
done
# the same with the shared library, named by a relative path
cp "$build/libviva.so.0" ../bin
cc -I"$root/include" -o ../bin/shared ../host.c ../bin/libviva.so.0 -Wl,-rpath,'$ORIGIN' || fail "a program with the shared library"
(cd .. && LD_LIBRARY_PATH=bin && export LD_LIBRARY_PATH && cd bin && cd ../work && LD_LIBRARY_PATH=../bin PATH=../bin:$PATH shared > out 2>&1)
[ -z "$(find "$dir" -name LOADED)" ] || fail "the shared library loads a module from the current folder"
cd "$dir" || exit 1

# where they lie beside it, they are found: the check can fail
cp evil.so bin/viva-exact.so
mkdir bin/viva
for name in viva-exact.so viva-balls.so; do cp "$build/$name" bin/viva; done
cp evil.so bin/viva/libviva-solvers.so
(cd work && ../bin/host > out 2>&1)
[ -n "$(find "$dir" -name LOADED)" ] || fail "the check notices nothing"
rm -f work/LOADED

# another user swaps folders between the check and the use of the cache: his code never runs
if [ "$(id -u)" = 0 ] && command -v setpriv > /dev/null && command -v cc > /dev/null; then
  mkdir -p theirs/home
  chown 12345:12345 theirs
  chmod 755 theirs
  chown 54321:54321 theirs/home
  chmod 700 theirs/home
  awk 'BEGIN { for (i = 0; i < 30; i++) printf "coord q%d = 0.%d\nkinetic 1/2*q%d%c^2\npotential cos(q%d)*sin(q%d)\n", i, i + 1, i, 39, i, i ? i - 1 : 0; print "simulate to 1 step 0.1" }' > m.viva
  chmod 644 m.viva
  seen=$(cd / && HOME=$dir/theirs/home XDG_CACHE_HOME='' setpriv --reuid 54321 --regid 54321 --clear-groups "$build/viva" run "$dir/m.viva" --backend cc 2>&1)
  case $seen in
    *Permission* | *cannot\ open\ shared*) echo "(the build folder is not open to others: the cache of another is not tried)" ;;
    *) echo "$seen" | grep -q 'cache folder cannot be used' || fail "a cache below a folder of another: $seen"
       [ -z "$(find theirs/home -name '*.so')" ] || fail "code is kept below a folder of another" ;;
  esac
fi
exit $bad
