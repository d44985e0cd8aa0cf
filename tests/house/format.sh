#!/bin/sh
# All C is as clang-format 14 writes it. Another version writes some of it in another way: it is not asked.
#   sh format.sh ROOT BUILD
set -eu
root=$1
tool=clang-format
command -v clang-format-14 > /dev/null && tool=clang-format-14
if ! command -v $tool > /dev/null; then echo "(without clang-format the form of the text is not looked at)"; exit 0; fi
if ! $tool --version | grep -q 'version 14\.'; then
  echo "($($tool --version) is not version 14: the form of the text is not looked at)"
  exit 0
fi

# -Werror: the first difference of each file is an error
check() {
  find "$@" -name '*.[ch]' | xargs -n 20 -P "$(nproc)" $tool --dry-run -Werror --ferror-limit=1
}

cd "$root"
if ! check src include tests bench; then
  echo "(clang-format -i FILE puts it right)"
  exit 1
fi

# the broken twin
twin=$(mktemp -d)
trap 'rm -rf "$twin"' EXIT
cp .clang-format "$twin"
printf 'int f(int x)\n{ return x ; }\n' > "$twin/wrong.c"
if check "$twin" 2> /dev/null; then echo "the check notices nothing"; exit 1; fi
