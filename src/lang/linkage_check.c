// What nodes, bars and springs must be together: some node is free, no two ends are at one place, three nodes of a
// body are no line. What follows from numbers alone is told here; what parameters decide, when they are known.
#include "lang/linkage.h"

#include <stdlib.h>

static bool coincide(const Linkage *l, uint32_t a, uint32_t b) {
  for (uint32_t i = 0; i < l->dimensions; i++) {
    if (l->nodes.items[a].place[i] != l->nodes.items[b].place[i]) return false;
  }
  return true;
}

static void check_bars(Elab *e) {
  const Linkage *l = &e->model->linkage;
  for (uint32_t i = 0; i < l->bars.count && e->diags->errors < diag_most; i++) {
    const LinkageBar *b = &l->bars.items[i];
    if (b->a == linkage_none || !coincide(l, b->a, b->b)) continue;
    diag_error(e->diags, diag_linkage, b->span, "`%s` and `%s` are at one place, so the bar `%s` has no direction",
               l->nodes.items[b->a].name, l->nodes.items[b->b].name, b->name);
  }
}

static void check_free(Elab *e) {
  const Linkage *l = &e->model->linkage;
  uint8_t all = (uint8_t)(l->dimensions == 2 ? 3 : 7);
  for (uint32_t i = 0; i < l->nodes.count; i++) {
    if (l->nodes.items[i].fixed != all) return;
  }
  if (!l->nodes.count || !l->bars.count) return;
  diag_error(e->diags, diag_linkage, l->nodes.items[0].span, "all nodes are fixed: nothing can move");
  diag_hint(e->diags, "leave out `fixed` where a node is free; its place is then where it starts");
}

void linkage_check(Elab *e) {
  if (e->diags->errors || !e->model->linkage.nodes.count) return;
  check_bars(e);
  check_free(e);
}
