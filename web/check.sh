#!/bin/sh
# web/dist holds the scripts of pages as web/src, build.mjs and the lock file make them: `./dev web` builds it.
#   sh check.sh         compares the hash of these sources with the one in web/dist
#   sh check.sh NODE    builds the scripts once more and compares bytes
set -eu
cd "$(dirname "$0")"
hash=$(LC_ALL=C; export LC_ALL; cat src/* build.mjs package-lock.json | sha256sum | cut -d ' ' -f 1)
[ "$hash" = "$(cat dist/SOURCES)" ] || { echo "web/dist is not what web/src makes: run ./dev web"; exit 1; }
[ $# -gt 0 ] || exit 0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$1" build.mjs "$work"
for file in report.js space.js SOURCES; do
  cmp "dist/$file" "$work/$file" || { echo "web/dist/$file is not what web/src makes: run ./dev web"; exit 1; }
done
