// Wires of a diagram: trunks in the channels between columns, ordered so that few cross and none lie on each other.
//
// A net has one trunk a channel, a vertical line, and a horizontal line from it to each of its joints. Where two nets
// would lie on each other whatever the order of their trunks, a cell moves by a few pixels (wires_part). A wire that
// would make a jog of a few pixels moves a cell so that it runs straight, where that makes no other jog
// (wires_straighten).
#include "show/diagram_wires.h"

#include <math.h>
#include <stdlib.h>

static const double too_close = 4; // pixels: wires closer than this are seen as one, a jog smaller than this as a slip
static const double straight = 0.01;   // pixels: a jog smaller than this is rounding
static const double overlap_cost = 50; // of two wires on each other, in crossings: worse than all that a channel has

typedef struct Trunk {
  uint32_t net;
  double least, most, x;
} Trunk;

// How bad it is to have trunk a left of trunk b: crossings, and wires that would lie on each other.
static double cost_of(const DiagramGrid *l, const GridChannel *ch, const Trunk *a, const Trunk *b) {
  double cost = 0;
  for (uint32_t i = 0; i < ch->joints.count; i++) {
    const GridJoint *j = &ch->joints.items[i];
    double y = grid_joint_y(l, j);
    // a's wires to the right pass b, b's wires to the left pass a
    if (j->net == a->net && j->right && y > b->least && y < b->most) cost += 1;
    if (j->net == b->net && !j->right && y > a->least && y < a->most) cost += 1;
    for (uint32_t k = 0; k < ch->joints.count; k++) {
      const GridJoint *q = &ch->joints.items[k];
      bool meet =
          j->net == a->net && j->right && q->net == b->net && !q->right && fabs(grid_joint_y(l, q) - y) < too_close;
      if (meet) cost += overlap_cost;
    }
  }
  return cost;
}

static void order_trunks(const DiagramGrid *l, const GridChannel *ch, Trunk *t, uint32_t count) {
  for (uint32_t pass = 0; pass < count + 2; pass++) {
    bool changed = false;
    for (uint32_t i = 0; i + 1 < count; i++) {
      if (cost_of(l, ch, &t[i + 1], &t[i]) >= cost_of(l, ch, &t[i], &t[i + 1])) continue;
      Trunk x = t[i];
      t[i] = t[i + 1];
      t[i + 1] = x;
      changed = true;
    }
    if (!changed) break;
  }
}

typedef VEC(Trunk) Trunks;

static Trunks make_trunks(DiagramGrid *l, const GridChannel *ch) {
  Trunks trunks = {0};
  for (uint32_t i = 0; i < ch->joints.count; i++) {
    double y = grid_joint_y(l, &ch->joints.items[i]);
    uint32_t k = 0;
    while (k < trunks.count && trunks.items[k].net != ch->joints.items[i].net) k++;
    if (k == trunks.count && !vec_push(l->arena, &trunks, (Trunk){ch->joints.items[i].net, y, y, 0})) return trunks;
    trunks.items[k].least = fmin(trunks.items[k].least, y);
    trunks.items[k].most = fmax(trunks.items[k].most, y);
  }
  order_trunks(l, ch, trunks.items, trunks.count);
  return trunks;
}

// A wire may come a little closer to its neighbours than the layout keeps them.
static bool has_room(const DiagramGrid *l, uint32_t cell, double closer) {
  const GridCell *c = &l->cells.items[cell];
  const GridColumn *col = &l->column[c->column];
  const GridCell *above = c->at > 0 ? &l->cells.items[col->cells[c->at - 1]] : NULL,
                 *below = c->at + 1 < col->count ? &l->cells.items[col->cells[c->at + 1]] : NULL;
  return (!above || c->y - above->y >= grid_gap(above, c) - closer) &&
         (!below || below->y - c->y >= grid_gap(c, below) - closer);
}

static bool try_move(DiagramGrid *l, uint32_t cell, double by) {
  l->cells.items[cell].y += by;
  if (has_room(l, cell, grid_wire_gap - 2)) return true;
  l->cells.items[cell].y -= by;
  return false;
}

// Two nets that swap their heights in a channel would lie on each other whatever their order of trunks: one end moves
// a little. keep_room: only where the gaps between cells allow it.
static bool part_wires(DiagramGrid *l, const GridChannel *ch, double by, bool keep_room) {
  Trunks trunks = make_trunks(l, ch);
  bool moved = false;
  for (uint32_t a = 0; a + 1 < trunks.count; a++) {
    for (uint32_t b = a + 1; b < trunks.count; b++) {
      for (uint32_t i = 0; i < ch->joints.count; i++) {
        const GridJoint *j = &ch->joints.items[i];
        for (uint32_t k = 0; k < ch->joints.count; k++) {
          const GridJoint *q = &ch->joints.items[k];
          bool meet = j->net == trunks.items[a].net && j->right && q->net == trunks.items[b].net && !q->right &&
                      fabs(grid_joint_y(l, q) - grid_joint_y(l, j)) < too_close;
          if (!meet) continue;
          // the first move that the gaps allow; before the wires are made straight there is always a way out
          bool moves = try_move(l, j->cell, by) || try_move(l, q->cell, -by) || try_move(l, j->cell, -by) ||
                       try_move(l, q->cell, by);
          if (!moves && !keep_room) l->cells.items[j->cell].y += by;
          moved = moved || moves || !keep_room;
        }
      }
    }
  }
  return moved;
}

void wires_part(DiagramGrid *l, bool keep_room) {
  enum { passes = 24 }; // each may bring others together; wires that still overlap then have no free gap
  bool moved = true;
  for (int pass = 0; pass < passes && moved; pass++) {
    // up and down by turns, by 4 to 5.2 pixels: two that follow each other do not undo each other
    double by = (pass % 2 ? -1 : 1) * (4 + pass * 7 % 5 * 0.3);
    moved = false;
    for (uint32_t c = 0; c <= l->columns; c++)
      moved = (l->channel[c].joints.count < grid_most_joints && part_wires(l, &l->channel[c], by, keep_room)) || moved;
  }
}

// ---- jogs

enum { overlap_slips = 100 }; // what a wire on another net's counts, in jogs

// Small jogs of a cell's wires, and other nets that come too close to them across a channel.
static uint32_t slips_of(const DiagramGrid *l, uint32_t cell) {
  uint32_t slips = 0, column = l->cells.items[cell].column;
  for (uint32_t side = 0; side < 2; side++) {
    const GridChannel *ch = &l->channel[column + side];
    for (uint32_t a = 0; a < ch->joints.count; a++) {
      const GridJoint *j = &ch->joints.items[a];
      if (j->cell != cell) continue;
      double y = grid_joint_y(l, j);
      for (uint32_t b = 0; b < ch->joints.count; b++) {
        const GridJoint *q = &ch->joints.items[b];
        if (q->right == j->right) continue;
        double apart = fabs(grid_joint_y(l, q) - y);
        slips += q->net == j->net ? apart > straight && apart < too_close : overlap_slips * (apart < too_close);
      }
    }
  }
  return slips;
}

// Cells that move together: those whose wires are straight from one to the next.
typedef struct StraightGroup {
  uint32_t cells[48]; // of longer straight rows none is moved
  uint32_t count;
} StraightGroup;

static bool in_group(const StraightGroup *g, uint32_t cell) {
  for (uint32_t i = 0; i < g->count; i++) {
    if (g->cells[i] == cell) return true;
  }
  return false;
}

// False: it is too large, or holds the one that stays.
static bool find_group(const DiagramGrid *l, uint32_t cell, uint32_t stays, StraightGroup *g) {
  *g = (StraightGroup){.cells = {cell}, .count = 1};
  for (uint32_t i = 0; i < g->count; i++) {
    uint32_t column = l->cells.items[g->cells[i]].column;
    for (uint32_t side = 0; side < 2; side++) {
      const GridChannel *ch = &l->channel[column + side];
      for (uint32_t a = 0; a < ch->joints.count; a++) {
        for (uint32_t b = 0; b < ch->joints.count; b++) {
          const GridJoint *j = &ch->joints.items[a], *q = &ch->joints.items[b];
          if (j->cell != g->cells[i] || q->net != j->net || q->right == j->right ||
              fabs(grid_joint_y(l, q) - grid_joint_y(l, j)) > straight || in_group(g, q->cell))
            continue;
          if (q->cell == stays || g->count == sizeof g->cells / sizeof *g->cells) return false;
          g->cells[g->count++] = q->cell;
        }
      }
    }
  }
  return true;
}

static uint32_t slips_in(const DiagramGrid *l, const StraightGroup *g) {
  uint32_t slips = 0;
  for (uint32_t i = 0; i < g->count; i++) slips += slips_of(l, g->cells[i]);
  return slips;
}

// Moves the cell alone, or with the cells that straight wires join to it; back again if no jog goes.
static bool move_cell(DiagramGrid *l, uint32_t cell, uint32_t stays, double by) {
  for (int together = 0; together < 2; together++) {
    StraightGroup g = {.cells = {cell}, .count = 1};
    if (together && !find_group(l, cell, stays, &g)) return false;
    uint32_t before = slips_in(l, &g);
    bool room = true;
    for (uint32_t i = 0; i < g.count; i++) l->cells.items[g.cells[i]].y += by;
    for (uint32_t i = 0; i < g.count && room; i++) room = has_room(l, g.cells[i], too_close);
    if (room && slips_in(l, &g) < before) return true;
    for (uint32_t i = 0; i < g.count; i++) l->cells.items[g.cells[i]].y -= by;
  }
  return false;
}

void wires_straighten(DiagramGrid *l) {
  enum { passes = 6 }; // to and fro; a jog wanders one column a pass
  bool moved = l->cells.count <= grid_most_cells;
  for (int pass = 0; pass < passes && moved; pass++) {
    moved = false;
    for (uint32_t k = 0; k <= l->columns; k++) {
      const GridChannel *ch = &l->channel[pass % 2 ? l->columns - k : k];
      for (uint32_t a = 0; a < ch->joints.count; a++) {
        for (uint32_t b = 0; b < ch->joints.count; b++) {
          const GridJoint *j = &ch->joints.items[a], *q = &ch->joints.items[b];
          if (j->net != q->net || j->right || !q->right || ch->joints.count > grid_most_joints) continue;
          double by = grid_joint_y(l, j) - grid_joint_y(l, q);
          if (fabs(by) <= straight || fabs(by) >= too_close) continue;
          moved = move_cell(l, q->cell, j->cell, by) || move_cell(l, j->cell, q->cell, -by) || moved;
        }
      }
    }
  }
}

// ---- lines

static void put_line(DiagramGrid *l, uint32_t net, double x1, double y1, double x2, double y2) {
  if (fabs(x1 - x2) < straight && fabs(y1 - y2) < straight) return;
  uint32_t low = 0, high = l->count; // the node whose outputs hold this net
  while (high - low > 1) {
    uint32_t middle = (low + high) / 2;
    if (l->net_base[middle] <= net) low = middle;
    else high = middle;
  }
  vec_push(l->arena, &l->out->lines, (WireLine){x1, y1, x2, y2, low, net - l->net_base[low]});
}

// The x at which the wire of a joint ends at its cell.
static double joint_x(const DiagramGrid *l, const GridJoint *j) {
  const GridCell *cell = &l->cells.items[j->cell];
  const GridColumn *c = &l->column[cell->column];
  if (cell->node == grid_none) return j->right ? c->x - c->w / 2 : c->x + c->w / 2;
  const BlockBox *box = &l->boxes[cell->node];
  return c->x + (j->right ? place_pin_x(box, grid_joint_y(l, j) - cell->y) : box->w / 2);
}

static void draw_net(DiagramGrid *l, const GridChannel *ch, const Trunk *t) {
  if (t->most - t->least > 0.5) put_line(l, t->net, t->x, t->least, t->x, t->most);
  for (uint32_t i = 0; i < ch->joints.count; i++) {
    const GridJoint *j = &ch->joints.items[i];
    if (j->net != t->net) continue;
    double y = grid_joint_y(l, j);
    put_line(l, t->net, joint_x(l, j), y, t->x, y);
    // three ways or more meet: a dot
    int ways = (y > t->least + 0.5) + (y < t->most - 0.5);
    bool first = true;
    for (uint32_t k = 0; k < ch->joints.count; k++) {
      const GridJoint *q = &ch->joints.items[k];
      if (q->net != t->net || fabs(grid_joint_y(l, q) - y) > 0.5) continue;
      ways++;
      first = first && k >= i;
    }
    if (ways > 2 && first) vec_push(l->arena, &l->out->dots, (WireDot){t->x, y});
  }
}

// Puts columns and channels side by side.
void wires_route(DiagramGrid *l) {
  double x = grid_margin;
  for (uint32_t c = 0; c <= l->columns; c++) {
    const GridChannel *ch = &l->channel[c];
    Trunks trunks = make_trunks(l, ch);
    // width of words at both sides
    double after = 8, before = 8;
    if (c > 0) {
      for (uint32_t v = 0; v < l->count; v++) {
        if (l->layer[v] == c - 1) after = fmax(after, l->boxes[v].name + 8 - (l->column[c - 1].w - l->boxes[v].w) / 2);
      }
    }
    if (c < l->columns) {
      for (uint32_t v = 0; v < l->count; v++) {
        if (l->layer[v] == c && l->diagram->nodes.items[v].pins.count)
          before = fmax(before, 16 + l->boxes[v].wire - (l->column[c].w - l->boxes[v].w) / 2);
      }
    }
    bool any = trunks.count > 0;
    x += any && c > 0 ? after : 0;
    uint32_t wide = 0;
    for (uint32_t k = 0; k < trunks.count; k++) {
      Trunk *t = &trunks.items[k];
      t->x = x + grid_track * wide;
      wide += t->most - t->least > 0.5;
    }
    x += grid_track * (wide ? wide - 1 : 0) + (any && c < l->columns ? before : 0);
    if (c < l->columns) {
      l->column[c].x = x + l->column[c].w / 2;
      x += l->column[c].w;
    }
    if (!arena_failed(l->arena)) {
      // the channel's wires are drawn when both its columns have their position
      for (uint32_t k = 0; k < trunks.count; k++) draw_net(l, ch, &trunks.items[k]);
    }
  }
  l->out->width = x + grid_margin;
}

void wires_pass(DiagramGrid *l) {
  for (uint32_t i = 0; i < l->cells.count; i++) {
    const GridCell *cell = &l->cells.items[i];
    const GridColumn *c = &l->column[cell->column];
    if (cell->node == grid_none) put_line(l, cell->net, c->x - c->w / 2, cell->y, c->x + c->w / 2, cell->y);
    else l->out->places[cell->node].x = c->x, l->out->places[cell->node].y = cell->y;
  }
}

// ---- lines in one piece

static bool is_level(const WireLine *w) { return fabs(w->y1 - w->y2) < straight; }

static int by_wire(const void *a, const void *b) {
  const WireLine *x = a, *y = b;
  if (x->node != y->node) return x->node < y->node ? -1 : 1;
  if (x->out != y->out) return x->out < y->out ? -1 : 1;
  if (is_level(x) != is_level(y)) return is_level(x) ? -1 : 1;
  double p = is_level(x) ? x->y1 : x->x1, q = is_level(x) ? y->y1 : y->x1;
  if (p != q) return p < q ? -1 : 1;
  double from = is_level(x) ? x->x1 : x->y1, to = is_level(x) ? y->x1 : y->y1;
  return from < to ? -1 : from > to;
}

void wires_merge(DiagramLayout *out) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < out->lines.count; i++) { // from left to right, from top to bottom
    WireLine *w = &out->lines.items[i];
    if (w->x1 > w->x2 || (w->x1 == w->x2 && w->y1 > w->y2))
      *w = (WireLine){w->x2, w->y2, w->x1, w->y1, w->node, w->out};
  }
  if (out->lines.count) qsort(out->lines.items, out->lines.count, sizeof *out->lines.items, by_wire);
  for (uint32_t i = 0; i < out->lines.count; i++) {
    const WireLine *w = &out->lines.items[i];
    WireLine *last = kept ? &out->lines.items[kept - 1] : NULL;
    bool same = last && last->node == w->node && last->out == w->out && is_level(last) == is_level(w) &&
                fabs(is_level(w) ? last->y1 - w->y1 : last->x1 - w->x1) < straight;
    bool meet = same && (is_level(w) ? w->x1 <= last->x2 + straight && w->x2 >= last->x1 - straight
                                     : w->y1 <= last->y2 + straight && w->y2 >= last->y1 - straight);
    if (!meet) {
      out->lines.items[kept++] = *w;
      continue;
    }
    if (is_level(w)) last->x1 = fmin(last->x1, w->x1), last->x2 = fmax(last->x2, w->x2);
    else last->y1 = fmin(last->y1, w->y1), last->y2 = fmax(last->y2, w->y2);
  }
  out->lines.count = kept;
}
