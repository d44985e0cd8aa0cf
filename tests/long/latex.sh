#!/bin/sh
# The documents of all examples, and of a model with every kind of block, compile, no line runs out of the page, and every line of every derivation is proved; so does
# the LaTeX of each form inside a document of one's own.
set -eu
root=$1
build=$2
if ! command -v pdflatex > /dev/null 2>&1; then
  echo "skipped: there is no pdflatex (texlive-latex-base)"
  exit 77
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
compile() { # name
  pdflatex -interaction=nonstopmode -halt-on-error "$1.tex" > /dev/null 2>&1 || { echo "$1 does not compile"; grep -A 4 '^!' "$1.log"; exit 1; }
  if grep '^Overfull' "$1.log"; then
    echo "$1: a line runs out of the page"
    exit 1
  fi
}
count=0
for file in "$root"/examples/*.viva "$root"/tests/long/blocks.viva; do
  name=$(basename "$file" .viva)
  "$build/viva" export latex "$file" --steps -o "$name.tex" > /dev/null
  grep -q 'Every line is proved' "$name.tex" || { echo "$name: a line is not proved"; exit 1; }
  compile "$name"
  "$build/viva" export latex "$file" -o "plain.tex" > /dev/null
  compile plain
  count=$((count + 1))
done
for form in lagrange solved matrices state; do
  {
    printf '\\documentclass[11pt,a4paper]{article}\n\\usepackage[margin=25mm]{geometry}\n\\usepackage{amsmath}\n\\allowdisplaybreaks\n\\begin{document}\n'
    for file in "$root"/examples/*.viva "$root"/tests/long/blocks.viva; do "$build/viva" derive "$file" --form $form --format latex; done
    printf '\\end{document}\n'
  } > "$form.tex"
  compile "$form"
done
# a broken document is noticed
printf '\\documentclass{article}\\begin{document}$\\frac{1$\\end{document}\n' > broken.tex
if (compile broken) > /dev/null; then
  echo "a broken document compiles"
  exit 1
fi
echo "$count documents and 4 forms of all examples compile, and no line runs out of the page"
