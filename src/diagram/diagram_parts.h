// Inside the making of diagrams: names, what expressions are made of, and their blocks.
// parts: diagram_blocks.c diagram_names.c
//
// diagram_names.c knows the names and texts of a program, diagram_blocks.c turns its expressions into nodes and wires,
// pictures.c its calls, diagram.c its statements. A wire may start at a symbol whose node is not built yet: it is a
// DiagramRef that is `symbolic`, and is resolved when all is built.
#ifndef VIVA_DIAGRAM_DIAGRAM_PARTS_H
#define VIVA_DIAGRAM_DIAGRAM_PARTS_H

#include "diagram/diagram.h"

// A signal: an output of a node, or what a symbol stands for (found when all is built).
typedef struct DiagramRef {
  bool none, symbolic;
  uint32_t node, out; // of a symbol: its index, and how often it is differentiated
} DiagramRef;

// x' = f; a family may have several, for its ends and for what lies between.
typedef struct DiagramEquation {
  const Item *item;
  const Stmt *stmt;
} DiagramEquation;

typedef struct DiagramSymbol {
  const char *name;
  DeclKind kind;
  const Item *item;
  const Stmt *stmt;
  const Item *equation; // of a state, or a coordinate that has one: the first
  VEC(DiagramEquation) equations;
  DiagramRef ref[3]; // itself, its rate, its second rate
  bool constant, inner, looked, working;
  bool port; // an input with the output that makes a power of it
} DiagramSymbol;

// One element of a family where it is not the one in work: T[i - 1], T[50].
typedef struct DiagramElement {
  const char *text;
  const Stmt *stmt; // a variable of `for` means what it does there; NULL: it has none
  DiagramRef ref;
} DiagramElement;

typedef struct DiagramBuilder {
  Arena *arena;
  const Sources *sources;
  const Program *program;
  Diagram *diagram;
  VEC(DiagramSymbol) symbols;
  uint32_t *table, table_size;  // of symbols by name, index plus one
  uint32_t plant, solver;       // nodes plus one of the energies and of implicit equations; 0: none
  const Stmt *fors;             // of the statement in work
  VEC(DiagramElement) elements; // of families, that were taken out of their wires
  uint32_t depth;
  DiagramNode spare; // stands for nodes that did not fit any more
} DiagramBuilder;

typedef VEC(const char *) DiagramNames;

typedef enum DiagramContent {
  has_time = 1,
  has_block = 2, // a block of the language
  has_plant = 4, // coordinates of the energies, and what is made of them alone
  has_signal = 8 // any other signal
} DiagramContent;

// names
void diagram_declare(DiagramBuilder *b);                            // fills the table
uint32_t diagram_symbol(const DiagramBuilder *b, const char *name); // index plus one; 0: there is none
bool diagram_is_bound(const DiagramBuilder *b, const char *name);   // a variable of `for`
unsigned diagram_name_content(DiagramBuilder *b, const char *name); // bits of DiagramContent; 0: constant
unsigned diagram_content(DiagramBuilder *b, const Ast *a);
bool diagram_is_constant(DiagramBuilder *b, const Ast *a);
const char *diagram_text(DiagramBuilder *b, const Ast *a);       // as written, on one line, not too long
const char *diagram_bracketed(DiagramBuilder *b, const Ast *a);  // the same as a factor
const char *diagram_polynomial(DiagramBuilder *b, const Ast *a); // in s, highest power first

// Symbols are kept in pins with the highest bit of `node` set until all is built.
#define DIAGRAM_PIN_SYMBOLIC (1u << 31)

// blocks
static const DiagramRef diagram_no_ref = {.none = true};
uint32_t diagram_node(DiagramBuilder *b, BlockKind kind, const char *text);
static inline DiagramNode *diagram_node_at(DiagramBuilder *b, uint32_t node) {
  return node < b->diagram->nodes.count ? &b->diagram->nodes.items[node] : &b->spare;
}
static inline DiagramRef diagram_ref(uint32_t node, uint32_t out) { return (DiagramRef){.node = node, .out = out}; }
DiagramRef diagram_constant(DiagramBuilder *b, const char *text);
void diagram_pin(DiagramBuilder *b, uint32_t node, DiagramRef from, char sign, const char *gain, const char *label);
DiagramRef diagram_expr(DiagramBuilder *b, const Ast *a);
DiagramRef diagram_formula(DiagramBuilder *b, const Ast *a); // one block with the formula in it
void diagram_sum_terms(DiagramBuilder *b, uint32_t node, const Ast *a, bool minus,
                       bool outside); // outside: what a plant does by itself is left out
DiagramRef diagram_finish_sum(DiagramBuilder *b, uint32_t node);
DiagramRef diagram_name_ref(DiagramBuilder *b, const char *name, uint32_t primes);
const Ast *diagram_path_base(const DiagramBuilder *b,
                             const Ast *a); // the part's name in hip.th, hip.th'; NULL: it is no such path
DiagramRef diagram_part_ref(DiagramBuilder *b, const Ast *a);
const char *diagram_family(const DiagramBuilder *b,
                           const Ast *a); // the family's name in T[i], T[i]'; NULL: it is no such thing
DiagramRef diagram_element_ref(DiagramBuilder *b, const Ast *a);           // of a family
bool diagram_seen(DiagramBuilder *b, DiagramNames *seen, const char *key); // notes it
DiagramRef diagram_box_out(DiagramBuilder *b, uint32_t node, const char *name,
                           uint32_t primes); // an output of a block that has several, by its name

#endif
