// Import of expressions: those of one pool brought into another.
//
// in    two pools, and for each symbol of the first an expression in the second
// out   for each node of the first the same expression in the second
//
// Ids grow from child to parent, so one pass over the nodes in order finds the parts of a node brought over already.
#include "expr/import.h"

#include "expr/rebuild.h"

static ExprId imported(void *self, ExprId parent, uint32_t i, ExprId part) {
  const ExprImport *im = self;
  if (expr_op(im->from, parent) == op_table && i == 0 && im->table) return im->table(im->self, part);
  return im->node[part];
}

static ExprId import_node(ExprImport *im, ExprId id) {
  Rat r;
  if (expr_number(im->from, id, &r)) return expr_num(im->to, r);
  if (expr_op(im->from, id) == op_sym) return im->symbol[expr_symbol(im->from, id)];
  Rebuild rebuild = {.to = im->to, .from = im->from, .flat = true, .always = true, .child = imported, .self = im};
  return rebuild_node(&rebuild, id);
}

bool expr_import(ExprImport *im) {
  im->node = arena_array(im->to->arena, im->from->nodes.count, sizeof *im->node);
  if (!im->node) return false;
  for (ExprId id = 1; id < im->from->nodes.count; id++) {
    im->node[id] = import_node(im, id);
    if (!im->node[id]) return false;
  }
  return true;
}
