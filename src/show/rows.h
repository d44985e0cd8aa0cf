// Equations laid out in lines of a page: long sums break before a plus or minus, a long part that cannot break gets a
// name of its own and is explained below.
#ifndef VIVA_SHOW_ROWS_H
#define VIVA_SHOW_ROWS_H

#include "expr/print.h"

// A piece of a line that does not break.
typedef struct Piece {
  const char *text;
  double width;  // in letters
  bool relation; // = or :=, where rows align
} Piece;
typedef VEC(Piece) Pieces;

typedef struct NamedPart {
  ExprId symbol, value;
} NamedPart;

typedef struct EquationRows {
  ExprPool *pool; // gets symbols for what is named
  Arena *arena;
  const ExprNames *names;
  ExprFormat format; // LaTeX or MathML
  bool numbered;     // LaTeX: equations have numbers
  VEC(Pieces) rows;
  VEC(NamedPart) named;
  uint32_t explained; // of the named ones
} EquationRows;

enum { rows_width = 77 }; // letters that fit on a line

EquationRows rows_in(ExprPool *pool, Arena *arena, const ExprNames *names, ExprFormat format);
// left = right; what stands on the left is an expression, or text in the format (of LaTeX: for its width).
void rows_equation(EquationRows *r, ExprId left, ExprId right);
void rows_line(EquationRows *r, const char *left, const char *latex, ExprId right);
void rows_assign(EquationRows *r, ExprId left, ExprId right); // left := right
// A line of two finished sides: text in the format, and how wide they are.
void rows_finished(EquationRows *r, Piece left, Piece right);
// A sum as pieces; first: it begins the side. A line of such pieces.
void rows_terms(EquationRows *r, ExprId sum, bool first, Pieces *out);
void rows_pieces(EquationRows *r, Piece left, const Pieces *right);
// Something behind the last equation, a piece of its own; words.
void rows_behind(EquationRows *r, Piece tail);
void rows_remark(EquationRows *r, const char *words);
// The expression, or where it is wider than the limit a name that is explained below the rows; of a condition both
// sides alone.
ExprId rows_short(EquationRows *r, ExprId id, double limit);
// All rows so far, then what was named, and the rows are empty again.
void rows_put(EquationRows *r, Text *out);

double rows_latex_width(const char *text); // in letters, about

#endif
