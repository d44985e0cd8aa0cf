// Wires of a diagram: trunks in the channels between columns, ordered so that few cross and none lie on each other.
//
// A net has one trunk a channel, a vertical line, and a horizontal line from it to each of its joints. Where two nets
// would lie on each other whatever the order of their trunks, a cell moves by a few pixels (part_all); a wire that
// would make a jog of a few pixels moves a cell so that it runs straight, where that makes no other jog
// (straighten_jogs).
#include "show/diagram_layout_parts.h"

#include <math.h>
#include <stdlib.h>

static const double near_wires = 4; // pixels: wires closer than this are seen as one, a jog smaller than this as a slip

typedef struct Trunk {
  uint32_t net;
  double least, most, x;
} Trunk;

// How bad it is to have trunk a left of trunk b: crossings, and wires that would lie on each other.
static double cost_of(const Layout *l, const Channel *ch, const Trunk *a, const Trunk *b) {
  double cost = 0;
  for (uint32_t i = 0; i < ch->joints.count; i++) {
    const Joint *j = &ch->joints.items[i];
    double y = joint_y(l, j);
    // a's wires to the right pass b, b's wires to the left pass a
    if (j->net == a->net && j->right && y > b->least && y < b->most) cost += 1;
    if (j->net == b->net && !j->right && y > a->least && y < a->most) cost += 1;
    for (uint32_t k = 0; k < ch->joints.count; k++) {
      const Joint *q = &ch->joints.items[k];
      bool meet = j->net == a->net && j->right && q->net == b->net && !q->right && fabs(joint_y(l, q) - y) < near_wires;
      if (meet) cost += 50;
    }
  }
  return cost;
}

static void order_trunks(const Layout *l, const Channel *ch, Trunk *t, uint32_t count) {
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

static Trunks make_trunks(Layout *l, const Channel *ch) {
  Trunks trunks = {0};
  for (uint32_t i = 0; i < ch->joints.count; i++) {
    double y = joint_y(l, &ch->joints.items[i]);
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
static bool has_room(const Layout *l, uint32_t cell, double closer) {
  const Cell *c = &l->cells.items[cell];
  const Column *col = &l->column[c->column];
  const Cell *above = c->at > 0 ? &l->cells.items[col->cells[c->at - 1]] : NULL,
             *below = c->at + 1 < col->count ? &l->cells.items[col->cells[c->at + 1]] : NULL;
  return (!above || c->y - above->y >= gap_between(above, c) - closer) &&
         (!below || below->y - c->y >= gap_between(c, below) - closer);
}

static bool try_move(Layout *l, uint32_t cell, double by) {
  l->cells.items[cell].y += by;
  if (has_room(l, cell, wire_gap - 2)) return true;
  l->cells.items[cell].y -= by;
  return false;
}

// Two nets that change places in a channel would lie on each other whatever their order: one end moves a little; where
// there is room: the last of all moves keeps what stands well.
static bool part_wires(Layout *l, const Channel *ch, double by, bool room) {
  Trunks trunks = make_trunks(l, ch);
  bool moved = false;
  for (uint32_t a = 0; a + 1 < trunks.count; a++) {
    for (uint32_t b = a + 1; b < trunks.count; b++) {
      for (uint32_t i = 0; i < ch->joints.count; i++) {
        const Joint *j = &ch->joints.items[i];
        for (uint32_t k = 0; k < ch->joints.count; k++) {
          const Joint *q = &ch->joints.items[k];
          bool meet = j->net == trunks.items[a].net && j->right && q->net == trunks.items[b].net && !q->right &&
                      fabs(joint_y(l, q) - joint_y(l, j)) < near_wires;
          if (!meet) continue;
          // the first that has room; before the wires are made straight there is always a way out
          bool moves = try_move(l, j->cell, by) || try_move(l, q->cell, -by) || try_move(l, j->cell, -by) ||
                       try_move(l, q->cell, by);
          if (!moves && !room) l->cells.items[j->cell].y += by;
          moved = moved || moves || !room;
        }
      }
    }
  }
  return moved;
}

void part_all(Layout *l, bool room) {
  enum { passes = 24 };
  bool moved = true;
  for (int pass = 0; pass < passes && moved; pass++) {
    double by = (pass % 2 ? -1 : 1) * (4 + pass * 7 % 5 * 0.3);
    moved = false;
    for (uint32_t c = 0; c <= l->columns; c++)
      moved = (l->channel[c].joints.count < 300 && part_wires(l, &l->channel[c], by, room)) || moved;
  }
}

// ---- jogs

// Small jogs of a cell's wires, and other nets that come too close to them across a channel.
static uint32_t slips_of(const Layout *l, uint32_t cell) {
  uint32_t slips = 0, column = l->cells.items[cell].column;
  for (uint32_t side = 0; side < 2; side++) {
    const Channel *ch = &l->channel[column + side];
    for (uint32_t a = 0; a < ch->joints.count; a++) {
      const Joint *j = &ch->joints.items[a];
      if (j->cell != cell) continue;
      double y = joint_y(l, j);
      for (uint32_t b = 0; b < ch->joints.count; b++) {
        const Joint *q = &ch->joints.items[b];
        if (q->right == j->right) continue;
        double apart = fabs(joint_y(l, q) - y);
        slips += q->net == j->net ? apart > 0.01 && apart < near_wires : 100 * (apart < near_wires);
      }
    }
  }
  return slips;
}

// Cells that move together: those whose wires are straight from one to the next.
typedef struct Group {
  uint32_t cells[48];
  uint32_t count;
} Group;

static bool in_group(const Group *g, uint32_t cell) {
  for (uint32_t i = 0; i < g->count; i++) {
    if (g->cells[i] == cell) return true;
  }
  return false;
}

// False: it is too large, or holds the one that stays.
static bool find_group(const Layout *l, uint32_t cell, uint32_t stays, Group *g) {
  *g = (Group){.cells = {cell}, .count = 1};
  for (uint32_t i = 0; i < g->count; i++) {
    uint32_t column = l->cells.items[g->cells[i]].column;
    for (uint32_t side = 0; side < 2; side++) {
      const Channel *ch = &l->channel[column + side];
      for (uint32_t a = 0; a < ch->joints.count; a++) {
        for (uint32_t b = 0; b < ch->joints.count; b++) {
          const Joint *j = &ch->joints.items[a], *q = &ch->joints.items[b];
          if (j->cell != g->cells[i] || q->net != j->net || q->right == j->right ||
              fabs(joint_y(l, q) - joint_y(l, j)) > 0.01 || in_group(g, q->cell))
            continue;
          if (q->cell == stays || g->count == sizeof g->cells / sizeof *g->cells) return false;
          g->cells[g->count++] = q->cell;
        }
      }
    }
  }
  return true;
}

static uint32_t slips_in(const Layout *l, const Group *g) {
  uint32_t slips = 0;
  for (uint32_t i = 0; i < g->count; i++) slips += slips_of(l, g->cells[i]);
  return slips;
}

// Alone, or with all that hangs on it; it stays where it was if that makes nothing better.
static bool move_cell(Layout *l, uint32_t cell, uint32_t stays, double by) {
  for (int together = 0; together < 2; together++) {
    Group g = {.cells = {cell}, .count = 1};
    if (together && !find_group(l, cell, stays, &g)) return false;
    uint32_t before = slips_in(l, &g);
    bool room = true;
    for (uint32_t i = 0; i < g.count; i++) l->cells.items[g.cells[i]].y += by;
    for (uint32_t i = 0; i < g.count && room; i++) room = has_room(l, g.cells[i], near_wires);
    if (room && slips_in(l, &g) < before) return true;
    for (uint32_t i = 0; i < g.count; i++) l->cells.items[g.cells[i]].y -= by;
  }
  return false;
}

void straighten_jogs(Layout *l) {
  enum { passes = 6 };
  bool moved = l->cells.count <= 1500;
  for (int pass = 0; pass < passes && moved; pass++) {
    moved = false;
    for (uint32_t k = 0; k <= l->columns; k++) {
      const Channel *ch = &l->channel[pass % 2 ? l->columns - k : k];
      for (uint32_t a = 0; a < ch->joints.count; a++) {
        for (uint32_t b = 0; b < ch->joints.count; b++) {
          const Joint *j = &ch->joints.items[a], *q = &ch->joints.items[b];
          if (j->net != q->net || j->right || !q->right || ch->joints.count > 300) continue;
          double by = joint_y(l, j) - joint_y(l, q);
          if (fabs(by) <= 0.01 || fabs(by) >= near_wires) continue;
          moved = move_cell(l, q->cell, j->cell, by) || move_cell(l, j->cell, q->cell, -by) || moved;
        }
      }
    }
  }
}

// ---- lines

static void put_line(Layout *l, uint32_t net, double x1, double y1, double x2, double y2) {
  if (fabs(x1 - x2) < 0.01 && fabs(y1 - y2) < 0.01) return;
  uint32_t low = 0, high = l->count; // the node whose outputs hold this net
  while (high - low > 1) {
    uint32_t middle = (low + high) / 2;
    if (l->net_base[middle] <= net) low = middle;
    else high = middle;
  }
  vec_push(l->arena, &l->out->lines, (WireLine){x1, y1, x2, y2, low, net - l->net_base[low]});
}

// The x at which the wire of a joint ends at its cell.
static double joint_x(const Layout *l, const Joint *j) {
  const Cell *cell = &l->cells.items[j->cell];
  const Column *c = &l->column[cell->column];
  if (cell->node == none) return j->right ? c->x - c->w / 2 : c->x + c->w / 2;
  const BlockBox *box = &l->boxes[cell->node];
  return c->x + (j->right ? pin_x(box, joint_y(l, j) - cell->y) : box->w / 2);
}

static void draw_net(Layout *l, const Channel *ch, const Trunk *t) {
  if (t->most - t->least > 0.5) put_line(l, t->net, t->x, t->least, t->x, t->most);
  for (uint32_t i = 0; i < ch->joints.count; i++) {
    const Joint *j = &ch->joints.items[i];
    if (j->net != t->net) continue;
    double y = joint_y(l, j);
    put_line(l, t->net, joint_x(l, j), y, t->x, y);
    // three ways or more meet: a dot
    int ways = (y > t->least + 0.5) + (y < t->most - 0.5);
    bool first = true;
    for (uint32_t k = 0; k < ch->joints.count; k++) {
      const Joint *q = &ch->joints.items[k];
      if (q->net != t->net || fabs(joint_y(l, q) - y) > 0.5) continue;
      ways++;
      first = first && k >= i;
    }
    if (ways > 2 && first) vec_push(l->arena, &l->out->dots, (WireDot){t->x, y});
  }
}

// Puts columns and channels side by side.
void route(Layout *l) {
  double x = margin;
  for (uint32_t c = 0; c <= l->columns; c++) {
    const Channel *ch = &l->channel[c];
    Trunks trunks = make_trunks(l, ch);
    // room for words at both sides
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
      t->x = x + track * wide;
      wide += t->most - t->least > 0.5;
    }
    x += track * (wide ? wide - 1 : 0) + (any && c < l->columns ? before : 0);
    if (c < l->columns) {
      l->column[c].x = x + l->column[c].w / 2;
      x += l->column[c].w;
    }
    if (!arena_failed(l->arena)) {
      // the channel's wires are drawn when both its columns have their place
      for (uint32_t k = 0; k < trunks.count; k++) draw_net(l, ch, &trunks.items[k]);
    }
  }
  l->out->width = x + margin;
}

void draw_passing(Layout *l) {
  for (uint32_t i = 0; i < l->cells.count; i++) {
    const Cell *cell = &l->cells.items[i];
    const Column *c = &l->column[cell->column];
    if (cell->node == none) put_line(l, cell->net, c->x - c->w / 2, cell->y, c->x + c->w / 2, cell->y);
    else l->out->places[cell->node].x = c->x, l->out->places[cell->node].y = cell->y;
  }
}

// ---- lines in one piece

static bool is_level(const WireLine *w) { return fabs(w->y1 - w->y2) < 0.01; }

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

// Pieces of one wire that lie on one line are one line, so that nothing shows where they meet.
void merge_lines(DiagramLayout *out) {
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
                fabs(is_level(w) ? last->y1 - w->y1 : last->x1 - w->x1) < 0.01;
    bool meet = same && (is_level(w) ? w->x1 <= last->x2 + 0.01 && w->x2 >= last->x1 - 0.01
                                     : w->y1 <= last->y2 + 0.01 && w->y2 >= last->y1 - 0.01);
    if (!meet) {
      out->lines.items[kept++] = *w;
      continue;
    }
    if (is_level(w)) last->x1 = fmin(last->x1, w->x1), last->x2 = fmax(last->x2, w->x2);
    else last->y1 = fmin(last->y1, w->y1), last->y2 = fmax(last->y2, w->y2);
  }
  out->lines.count = kept;
}
