#!/bin/sh
# The installed libviva.a defines viva_* and nothing else to the outside, so that no name of ours meets one of a program or of
# its libraries: `accept` once did, and took the place of the one of sockets.
#   sh archive.sh ROOT BUILD
set -eu
root=$1
build=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$build" --prefix "$work/usr" > /dev/null
archive=$(find "$work/usr" -name libviva.a)
[ -n "$archive" ] || { echo "libviva.a is not installed"; exit 1; }

defined() { nm --defined-only --extern-only "$1" | awk 'NF == 3 { print $3 }' | sort -u; }
others() { defined "$1" | grep -v '^viva_' || true; }

bad=$(others "$archive")
[ -z "$bad" ] || { echo "defined beside viva_*:" $bad; exit 1; }
# what the shared library exports, the archive has, and the other way round
nm -D --defined-only "$build/libviva.so" | awk '{ print $3 }' | sort -u > "$work/shared"
defined "$archive" | diff "$work/shared" - || { echo "libviva.a and libviva.so differ"; exit 1; }
# and none of it is a name of the C library
libc=$(cc -print-file-name=libc.so.6)
nm -D --defined-only "$libc" | awk '{ sub(/@.*/, "", $3); print $3 }' | sort -u > "$work/libc"
grep -qx accept "$work/libc" || { echo "the names of the C library are not found"; exit 1; }
bad=$(defined "$archive" | comm -12 - "$work/libc")
[ -z "$bad" ] || { echo "defined here and in the C library:" $bad; exit 1; }

# a program with sockets of its own, linked with the archive as pkg-config says
cat > "$work/host.c" <<'CODE'
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <viva/viva.h>

/* names that are ours inside, and a host's as well */
int advance(int x) { return x + 1; }
int lex(int x) { return x + 2; }

int main(void) {
  const char *text = "coord x = 1\nkinetic 1/2*x'^2\npotential 1/2*x^2\nsimulate to 1 step 0.1\n";
  viva_model *model = NULL;
  if (viva_model_parse("a.viva", text, strlen(text), NULL, &model) != VIVA_OK) return 1;
  int server = socket(AF_INET, SOCK_STREAM, 0), client = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in address = {.sin_family = AF_INET};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  if (bind(server, (struct sockaddr *)&address, length) || listen(server, 1)) return 2;
  if (getsockname(server, (struct sockaddr *)&address, &length)) return 2;
  if (connect(client, (struct sockaddr *)&address, length)) return 2;
  int end = accept(server, NULL, NULL);
  char word[4] = "";
  if (end < 0 || write(client, "yes", 4) != 4 || read(end, word, 4) != 4 || strcmp(word, "yes")) return 3;
  viva_model_free(model);
  printf("%d\n", advance(lex(0)));
  return 0;
}
CODE
sed -i "s|^prefix=.*|prefix=$work/usr|" "$(find "$work/usr" -name viva.pc)"
PKG_CONFIG_PATH=$(dirname "$(find "$work/usr" -name viva.pc)")
export PKG_CONFIG_PATH
flags=$(pkg-config --static --cflags --libs viva | sed 's/-lviva\( \|$\)/-l:libviva.a /')
sanitizers=""
if objdump -p "$build/libviva.so" | grep -q asan; then sanitizers="-fsanitize=address,undefined"; fi
# shellcheck disable=SC2086
cc -std=gnu17 -Wall -Wextra -Werror $sanitizers "$work/host.c" $flags -o "$work/host"
if ldd "$work/host" | grep -q libviva; then echo "the program is not linked with the archive"; exit 1; fi
[ "$("$work/host")" = 3 ] || { echo "a program with sockets and libviva.a fails"; exit 1; }

# the broken twin: the archive of the tests, in which everything can be seen
[ -n "$(others "$build/libviva_inside.a")" ] || { echo "the check of names notices nothing"; exit 1; }
