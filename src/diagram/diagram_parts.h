// Inside the making of diagrams: names, what expressions are made of, and their blocks.
#ifndef VIVA_DIAGRAM_DIAGRAM_PARTS_H
#define VIVA_DIAGRAM_DIAGRAM_PARTS_H

#include "diagram/diagram.h"

typedef enum DiagramSymbolKind {
  symbol_param,
  symbol_input,
  symbol_let,
  symbol_state,
  symbol_coord,
  symbol_unknown,
  symbol_fun,
  symbol_part
} DiagramSymbolKind;

// A signal: an output of a node, or what a symbol stands for (found when all is built).
typedef struct Ref {
  bool none, symbolic;
  uint32_t node, out; // of a symbol: its index, and how often it is differentiated
} Ref;

// x' = f; a family may have several, for its ends and for what lies between.
typedef struct Equation {
  const Item *item;
  const Stmt *stmt;
} Equation;

typedef struct DiagramSymbol {
  const char *name;
  DiagramSymbolKind kind;
  const Item *item;
  const Stmt *stmt;
  const Item *equation; // of a state, or a coordinate that has one: the first
  VEC(Equation) equations;
  Ref ref[3]; // itself, its rate, its second rate
  bool constant, inner, looked, working;
} DiagramSymbol;

// One element of a family where it is not the one in work: T[i - 1], T[50].
typedef struct Element {
  const char *text;
  const Stmt *stmt; // a variable of `for` means what it does there; NULL: it has none
  Ref ref;
} Element;

typedef struct Builder {
  Arena *arena;
  const Sources *sources;
  const Program *program;
  Diagram *diagram;
  VEC(DiagramSymbol) symbols;
  uint32_t *table, table_size; // of symbols by name, index plus one
  uint32_t plant, solver;      // nodes plus one of the energies and of implicit equations; 0: none
  const Stmt *fors;            // of the statement in work
  VEC(Element) elements;       // of families, that were taken out of their wires
  uint32_t depth;
  DiagramNode spare; // stands for nodes that did not fit any more
} Builder;

typedef VEC(const char *) Names;

typedef enum Content {
  has_time = 1,
  has_block = 2, // a block of the language
  has_plant = 4, // coordinates of the energies, and what is made of them alone
  has_signal = 8 // any other signal
} Content;

// names
void declare(Builder *b);                                 // fills the table
uint32_t symbol_find(const Builder *b, const char *name); // index plus one; 0: there is none
bool is_bound(const Builder *b, const char *name);        // a variable of `for`
unsigned name_content(Builder *b, const char *name);      // Content; 0: constant
unsigned content(Builder *b, const Ast *a);
bool is_constant(Builder *b, const Ast *a);
const char *text_of(Builder *b, const Ast *a);    // as written, on one line, not too long
const char *bracketed(Builder *b, const Ast *a);  // the same as a factor
const char *polynomial(Builder *b, const Ast *a); // in s, highest power first

// blocks
extern const Ref no_ref;
uint32_t node_add(Builder *b, BlockKind kind, const char *text);
static inline DiagramNode *node_at(Builder *b, uint32_t node) {
  return node < b->diagram->nodes.count ? &b->diagram->nodes.items[node] : &b->spare;
}
static inline Ref ref_to(uint32_t node, uint32_t out) { return (Ref){.node = node, .out = out}; }
void pin_add(Builder *b, uint32_t node, Ref from, char sign, const char *gain, const char *label);
Ref build(Builder *b, const Ast *a);
Ref build_formula(Builder *b, const Ast *a); // one block with the formula in it
Ref build_signal(Builder *b, const Ast *a);  // step(t - 1), ramp(t)
void sum_terms(Builder *b, uint32_t node, const Ast *a, bool minus,
               bool outside); // outside: what a plant does by itself is left out
Ref finish_sum(Builder *b, uint32_t node);
Ref name_ref(Builder *b, const char *name, uint32_t primes);
const Ast *path_base(const Builder *b, const Ast *a); // the part's name in hip.th, hip.th'; NULL: it is no such path
Ref part_ref(Builder *b, const Ast *a);
const char *family_of(const Builder *b, const Ast *a);    // the family's name in T[i], T[i]'; NULL: it is no such thing
Ref element_ref(Builder *b, const Ast *a);                // of a family
bool name_seen(Builder *b, Names *seen, const char *key); // notes it
Ref box_out(Builder *b, uint32_t node, const char *name,
            uint32_t primes); // an output of a block that has several, by its name

#endif
