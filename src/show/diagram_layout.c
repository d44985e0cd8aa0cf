// Layered graph drawing of block diagrams (Sugiyama, Tagawa, Toda 1981): cycle removal, layer assignment, crossing
// reduction, coordinates of blocks; wires are in diagram_wires.c.
//
// in    blocks with their sizes, pins and nets
// out   a position for each block, lines for each wire
// how   1. depth first from the sources: a wire to a block on the way is feedback and runs back to the left
//       2. columns by the longest way; a net that passes a column has a cell of its own there
//       3. order within columns by the barycenter (mean index) of the neighbours, swept to and fro; the order with the
//          fewest crossings stays
//       4. heights by least squares that keep the order and the gaps (pools of neighbours that push each other)
//       5. wires on their way back are made straight, jogs of a few pixels taken out
#include "show/diagram_layout.h"

#include "show/diagram_grid.h"
#include "show/diagram_wires.h"

#include <math.h>

// Rounds, to and fro. Small diagrams have their order within ten sweeps; large ones (grid_most_cells) get only a few
// rounds.
enum { sweeps = 24, large_sweeps = 4, height_rounds = 40, large_height_rounds = 6, last_rounds = 6 };

// Step 3, in units of the index within a column.
static const double pin_share = 0.8;   // how much a pin's height in the block counts: less than one index
static const double turn_below = 0.6;  // a wire that turns back wants to stand this far below its block
static const double turn_weight = 0.5; // and how much that counts, against 1 for a wire across the channel

// Step 4: how much a wire wants to be straight. Long wires are seen most, so wire to wire counts most.
static const double wire_to_wire = 8, wire_to_block = 2, block_to_block = 1;
static const double first_pin = 1.5;    // the uppermost pin carries the main signal
static const double only_pin = 2;       // a block with one pin can follow it freely
static const double near_side = 0.6;    // the side that a round comes from, against the other
static const double least_weight = 0.1; // of a cell that nothing pulls
static const double fixed_weight = 100; // of a cell that stays in the last rounds
static const double back_weight = 0.02; // of a wire on its way back: it gives way, and is made straight in the end

// ---- columns

// Depth first from the sources: a wire back to a block on the way is feedback.
static void find_feedback(DiagramGrid *l) {
  const Diagram *d = l->diagram;
  uint32_t n = l->count, total = l->pin_base[n];
  uint32_t *first = arena_array(l->arena, n + 1, sizeof *first), *sink = arena_array(l->arena, total + 1, sizeof *sink),
           *pin = arena_array(l->arena, total + 1, sizeof *pin);
  uint32_t *stack = arena_array(l->arena, n + 1, sizeof *stack), *next = arena_array(l->arena, n + 1, sizeof *next);
  unsigned char *state = arena_array(l->arena, n + 1, 1);
  if (!first || !sink || !pin || !stack || !next || !state) return;
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t k = 0; k < d->nodes.items[i].pins.count; k++) first[d->nodes.items[i].pins.items[k].node + 1]++;
  }
  for (uint32_t i = 0; i < n; i++) first[i + 1] += first[i];
  for (uint32_t i = 0; i < n; i++) next[i] = first[i];
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t k = 0; k < d->nodes.items[i].pins.count; k++) {
      uint32_t at = next[d->nodes.items[i].pins.items[k].node]++;
      sink[at] = i;
      pin[at] = l->pin_base[i] + k;
    }
  }
  for (uint32_t i = 0; i < n; i++) next[i] = first[i];
  uint32_t done = n;
  for (int pass = 0; pass < 2; pass++) {
    for (uint32_t root = 0; root < n; root++) {
      if (state[root] || (pass == 0 && d->nodes.items[root].pins.count)) continue;
      uint32_t depth = 0;
      stack[depth++] = root;
      state[root] = 1;
      while (depth) {
        uint32_t v = stack[depth - 1];
        if (next[v] == first[v + 1]) {
          state[v] = 2;
          l->order[--done] = v;
          depth--;
          continue;
        }
        uint32_t e = next[v]++, w = sink[e];
        if (state[w] == 1) l->back[pin[e]] = true;
        if (state[w]) continue;
        state[w] = 1;
        stack[depth++] = w;
      }
    }
  }
  // the longest way from the left
  for (uint32_t i = 0; i < n; i++) {
    uint32_t v = l->order[i];
    for (uint32_t e = first[v]; e < first[v + 1]; e++) {
      if (!l->back[pin[e]] && l->layer[sink[e]] < l->layer[v] + 1) l->layer[sink[e]] = l->layer[v] + 1;
    }
  }
  // sources stand right before those they feed
  for (uint32_t i = n; i-- > 0;) {
    uint32_t v = l->order[i], least = grid_none;
    if (d->nodes.items[v].pins.count) continue;
    for (uint32_t e = first[v]; e < first[v + 1]; e++) least = l->layer[sink[e]] < least ? l->layer[sink[e]] : least;
    if (least != grid_none && least > 0) l->layer[v] = least - 1;
  }
  for (uint32_t v = 0; v < n; v++) l->columns = l->layer[v] + 1 > l->columns ? l->layer[v] + 1 : l->columns;
}

static uint32_t cell_add(DiagramGrid *l, GridCell c) {
  vec_push(l->arena, &l->cells, c);
  l->column[c.column].count++;
  return l->cells.count - 1;
}

static void joint_add(DiagramGrid *l, uint32_t channel, uint32_t net, uint32_t cell, uint32_t pin, bool right) {
  vec_push(l->arena, &l->channel[channel].joints, (GridJoint){net, cell, pin, right});
}

// The wires of one net: passing cells to the right as far as its last sink, to the left as far as its first.
static void lay_net(DiagramGrid *l, uint32_t node, uint32_t out) {
  const Diagram *d = l->diagram;
  uint32_t net = l->net_base[node] + out, from = l->layer[node], rightmost = from, leftmost = grid_none;
  // how far it reaches
  bool used = false;
  for (uint32_t i = 0; i < l->count; i++) {
    for (uint32_t k = 0; k < d->nodes.items[i].pins.count; k++) {
      const DiagramPin *p = &d->nodes.items[i].pins.items[k];
      if (p->node != node || p->out != out) continue;
      used = true;
      if (l->layer[i] > from) rightmost = l->layer[i] > rightmost ? l->layer[i] : rightmost;
      else leftmost = l->layer[i] < leftmost ? l->layer[i] : leftmost;
    }
  }
  if (!used) return;
  // its output; cells where it passes to the right, to the left; its pins
  joint_add(l, from + 1, net, l->cell_of[node], grid_none, false);
  for (uint32_t c = from + 1; c < rightmost; c++) {
    uint32_t cell = cell_add(l, (GridCell){.node = grid_none, .net = net, .column = c, .up = 4, .down = 4});
    joint_add(l, c, net, cell, grid_none, true);
    joint_add(l, c + 1, net, cell, grid_none, false);
  }
  for (uint32_t c = from; leftmost != grid_none && c + 1 > leftmost; c--) {
    uint32_t cell =
        cell_add(l, (GridCell){.node = grid_none, .net = net, .column = c, .back = true, .up = 4, .down = 4});
    joint_add(l, c, net, cell, grid_none, true);
    joint_add(l, c + 1, net, cell, grid_none, false);
    if (c == 0) break;
  }
  for (uint32_t i = 0; i < l->count; i++) {
    for (uint32_t k = 0; k < d->nodes.items[i].pins.count; k++) {
      const DiagramPin *p = &d->nodes.items[i].pins.items[k];
      if (p->node == node && p->out == out) joint_add(l, l->layer[i], net, l->cell_of[i], k, true);
    }
  }
}

static bool make_columns(DiagramGrid *l) {
  l->column = arena_array(l->arena, l->columns, sizeof *l->column);
  l->channel = arena_array(l->arena, l->columns + 1, sizeof *l->channel);
  if (!l->column || !l->channel) return false;
  for (uint32_t i = 0; i < l->count; i++) {
    uint32_t v = l->order[i];
    const BlockBox *box = &l->boxes[v];
    l->cell_of[v] = cell_add(l, (GridCell){.node = v,
                                           .net = grid_none,
                                           .column = l->layer[v],
                                           .up = box->h / 2 + 6,
                                           .down = box->h / 2 + box->below + 2});
  }
  for (uint32_t i = 0; i < l->count; i++) {
    uint32_t v = l->order[i];
    for (uint32_t o = 0; o < grid_outs(&l->diagram->nodes.items[v]); o++) lay_net(l, v, o);
  }
  for (uint32_t c = 0; c < l->columns; c++) {
    l->column[c].cells = arena_array(l->arena, l->column[c].count, sizeof(uint32_t));
    if (l->column[c].count && !l->column[c].cells) return false;
    l->column[c].count = 0;
  }
  for (uint32_t i = 0; i < l->cells.count; i++) {
    GridColumn *c = &l->column[l->cells.items[i].column];
    l->cells.items[i].at = c->count;
    c->cells[c->count++] = i;
  }
  return !arena_failed(l->arena);
}

// ---- order within the columns

static int by_sort(const void *a, const void *b, const DiagramGrid *l) {
  const GridCell *x = &l->cells.items[*(const uint32_t *)a], *y = &l->cells.items[*(const uint32_t *)b];
  if (x->sort != y->sort) return x->sort < y->sort ? -1 : 1;
  return x->at < y->at ? -1 : x->at > y->at;
}

static void sort_column(DiagramGrid *l, GridColumn *c) {
  for (uint32_t i = 1; i < c->count; i++) { // short lists, nearly in order
    uint32_t x = c->cells[i], k = i;
    for (; k > 0 && by_sort(&x, &c->cells[k - 1], l) < 0; k--) c->cells[k] = c->cells[k - 1];
    c->cells[k] = x;
  }
  for (uint32_t i = 0; i < c->count; i++) l->cells.items[c->cells[i]].at = i;
}

// Where on its block a wire ends: -0.5 at the top, 0.5 at the bottom.
static double joint_share(const DiagramGrid *l, const GridJoint *j) {
  const GridCell *cell = &l->cells.items[j->cell];
  if (cell->node == grid_none) return 0;
  const DiagramNode *n = &l->diagram->nodes.items[cell->node];
  double at = j->right ? j->pin : j->net - l->net_base[cell->node], count = j->right ? n->pins.count : grid_outs(n);
  return count > 1 ? (at + 0.5) / count - 0.5 : 0;
}

// Where each cell of a column would like to stand, by those it is joined to across the channel.
static void find_wanted_heights(DiagramGrid *l, uint32_t column, bool from_left) {
  GridColumn *c = &l->column[column];
  const GridChannel *ch = &l->channel[from_left ? column : column + 1];
  for (uint32_t i = 0; i < c->count; i++) {
    GridCell *cell = &l->cells.items[c->cells[i]];
    double sum = 0, weight = 0;
    for (uint32_t a = 0; a < ch->joints.count; a++) {
      if (ch->joints.items[a].cell != c->cells[i] || ch->joints.items[a].right != from_left) continue;
      for (uint32_t b = 0; b < ch->joints.count; b++) {
        const GridJoint *j = &ch->joints.items[b];
        if (j->net != ch->joints.items[a].net || j->cell == c->cells[i]) continue;
        const GridCell *other = &l->cells.items[j->cell];
        if (j->right != from_left) {
          // a wire on its way back wants to stay with itself
          if (other->back != cell->back) continue;
          double part =
              ((double)other->at + 1 + pin_share * joint_share(l, j)) / (double)(l->column[other->column].count + 1);
          sum += part * (double)(c->count + 1) - 1;
          weight += 1;
        } else if (other->back != cell->back) { // it turns around: just below its block
          if (!cell->back) continue;
          sum += turn_weight * ((double)other->at + turn_below);
          weight += turn_weight;
        }
      }
    }
    cell->sort = weight > 0 ? sum / weight : (double)cell->at;
  }
}

static uint32_t crossings_in(const DiagramGrid *l, const GridChannel *ch) {
  uint32_t n = 0;
  if (ch->joints.count > grid_most_joints) return 0;
  for (uint32_t a = 0; a < ch->joints.count; a++) {
    for (uint32_t b = 0; b < ch->joints.count; b++) {
      const GridJoint *p = &ch->joints.items[a], *q = &ch->joints.items[b];
      if (p->net != q->net || p->right || !q->right) continue;
      for (uint32_t c = a + 1; c < ch->joints.count; c++) {
        if (ch->joints.items[c].right || ch->joints.items[c].net == p->net) continue;
        for (uint32_t e = 0; e < ch->joints.count; e++) {
          const GridJoint *r = &ch->joints.items[c], *s = &ch->joints.items[e];
          if (!s->right || s->net != r->net) continue;
          bool above = l->cells.items[p->cell].at < l->cells.items[r->cell].at,
               above2 = l->cells.items[q->cell].at < l->cells.items[s->cell].at;
          n += above != above2 && p->cell != r->cell && q->cell != s->cell;
        }
      }
    }
  }
  return n;
}

static uint32_t crossings(const DiagramGrid *l) {
  uint32_t n = 0;
  for (uint32_t c = 0; c <= l->columns; c++) n += crossings_in(l, &l->channel[c]);
  return n;
}

static void order_cells(DiagramGrid *l) {
  uint32_t *best = arena_array(l->arena, l->cells.count + 1, sizeof *best), least = grid_none;
  if (!best) return;
  bool large = l->cells.count > grid_most_cells;
  for (int s = 0; s < (large ? (int)large_sweeps : (int)sweeps); s++) {
    for (uint32_t k = 0; k < l->columns; k++) {
      uint32_t c = s % 2 ? l->columns - 1 - k : k;
      find_wanted_heights(l, c, s % 2 == 0);
      sort_column(l, &l->column[c]);
    }
    uint32_t n = large ? 0 : crossings(l);
    if (n < least || large) {
      least = n;
      for (uint32_t i = 0; i < l->cells.count; i++) best[i] = l->cells.items[i].at;
    }
  }
  for (uint32_t c = 0; c < l->columns; c++) {
    for (uint32_t i = 0; i < l->column[c].count; i++) {
      GridCell *cell = &l->cells.items[l->column[c].cells[i]];
      cell->sort = best[l->column[c].cells[i]];
    }
    sort_column(l, &l->column[c]);
  }
}

// ---- heights

// The nearest heights to the requested ones (in `sort`) that keep the order and the gaps.
static void settle(DiagramGrid *l, GridColumn *c, const double *weight) {
  Arena *arena = l->arena;
  double *mean = arena_array(arena, c->count + 1, sizeof *mean), *mass = arena_array(arena, c->count + 1, sizeof *mass),
         *shift = arena_array(arena, c->count + 1, sizeof *shift);
  uint32_t *size = arena_array(arena, c->count + 1, sizeof *size), groups = 0;
  if (!mean || !mass || !shift || !size) return;
  for (uint32_t i = 0; i < c->count; i++) {
    if (i > 0) shift[i] = shift[i - 1] + grid_gap(&l->cells.items[c->cells[i - 1]], &l->cells.items[c->cells[i]]);
    mean[groups] = l->cells.items[c->cells[i]].sort - shift[i];
    mass[groups] = weight[i];
    size[groups++] = 1;
    while (groups > 1 && mean[groups - 2] > mean[groups - 1]) {
      double m = mass[groups - 2] + mass[groups - 1];
      mean[groups - 2] = (mean[groups - 2] * mass[groups - 2] + mean[groups - 1] * mass[groups - 1]) / m;
      mass[groups - 2] = m;
      size[groups - 2] += size[groups - 1];
      groups--;
    }
  }
  for (uint32_t g = 0, i = 0; g < groups; g++) {
    for (uint32_t k = 0; k < size[g]; k++, i++) l->cells.items[c->cells[i]].y = mean[g] + shift[i];
  }
}

static double wanted_height(const DiagramGrid *l, uint32_t cell_index, const GridChannel *ch, bool from_left,
                            bool strongest, double *weight) {
  const GridCell *cell = &l->cells.items[cell_index];
  double sum = 0, total = 0, top = 0, top_y = cell->y;
  for (uint32_t a = 0; a < ch->joints.count; a++) {
    const GridJoint *mine = &ch->joints.items[a];
    if (mine->cell != cell_index || mine->right != from_left) continue;
    double offset = grid_joint_y(l, mine) - cell->y;
    for (uint32_t b = 0; b < ch->joints.count; b++) {
      const GridJoint *j = &ch->joints.items[b];
      if (j->net != mine->net || j->right == mine->right) continue;
      const GridCell *other = &l->cells.items[j->cell];
      if (other->back != cell->back) continue;
      double w = cell->node == grid_none && other->node == grid_none   ? wire_to_wire
                 : other->node == grid_none || cell->node == grid_none ? wire_to_block
                                                                       : block_to_block;
      if (cell->node != grid_none && from_left && mine->pin == 0) w *= first_pin;
      if (cell->node != grid_none && l->diagram->nodes.items[cell->node].pins.count <= 1 && from_left) w *= only_pin;
      double y = grid_joint_y(l, j) - offset;
      sum += w * y;
      total += w;
      if (w > top) {
        top = w;
        top_y = y;
      }
    }
  }
  if (total <= 0) return NAN;
  *weight += strongest ? top : total;
  return strongest ? top_y : sum / total;
}

static void sort_pins(DiagramGrid *l) {
  for (uint32_t v = 0; v < l->count; v++) {
    const DiagramNode *n = &l->diagram->nodes.items[v];
    bool free_order = n->kind == block_sum || n->kind == block_product || n->kind == block_plant ||
                      (n->kind >= block_and && n->kind <= block_nor);
    if (!free_order || n->pins.count < 2) continue;
    const GridChannel *ch = &l->channel[l->layer[v]];
    double *key = arena_array(l->arena, n->pins.count, sizeof *key);
    if (!key) return;
    for (uint32_t k = 0; k < n->pins.count; k++) {
      uint32_t net = l->net_base[n->pins.items[k].node] + n->pins.items[k].out;
      double sum = 0, count = 0;
      for (uint32_t b = 0; b < ch->joints.count; b++) {
        const GridJoint *j = &ch->joints.items[b];
        bool own = j->cell == l->cell_of[v], feedback = l->back[l->pin_base[v] + k];
        if (j->net != net || own || (feedback ? !j->right || !l->cells.items[j->cell].back : j->right)) continue;
        sum += grid_joint_y(l, j);
        count++;
      }
      key[k] = count > 0 ? sum / count : 0;
    }
    uint32_t *order = l->out->places[v].order;
    for (uint32_t i = 1; i < n->pins.count; i++) {
      uint32_t x = order[i], k = i;
      for (; k > 0 && key[order[k - 1]] > key[x]; k--) order[k] = order[k - 1];
      order[k] = x;
    }
  }
}

// Is there a block above it in its column?
static bool has_block_above(const DiagramGrid *l, const GridCell *c) {
  const GridColumn *col = &l->column[c->column];
  for (uint32_t i = 0; i < c->at; i++) {
    if (l->cells.items[col->cells[i]].node != grid_none) return true;
  }
  return false;
}

// A wire on its way back runs straight, close under what it goes around, or close over it where nothing stands above.
static void straighten_net(DiagramGrid *l, uint32_t first) {
  uint32_t net = l->cells.items[first].net;
  double y = -INFINITY, room = INFINITY;
  bool over = true;
  for (uint32_t i = first; i < l->cells.count && l->cells.items[i].net == net; i++) {
    const GridCell *c = &l->cells.items[i];
    const GridColumn *col = &l->column[c->column];
    if (!c->back) continue;
    over = over && !has_block_above(l, c);
    if (c->at > 0)
      y = fmax(y, l->cells.items[col->cells[c->at - 1]].y + grid_gap(&l->cells.items[col->cells[c->at - 1]], c));
    if (c->at + 1 < col->count)
      room = fmin(room, l->cells.items[col->cells[c->at + 1]].y - grid_gap(c, &l->cells.items[col->cells[c->at + 1]]));
  }
  if (isinf(y) || (over && !isinf(room) && room > y)) y = room;
  if (isinf(y) || y > room + 0.01) return;
  for (uint32_t i = first; i < l->cells.count && l->cells.items[i].net == net; i++) {
    if (l->cells.items[i].back) l->cells.items[i].y = y;
  }
}

static int by_height(const DiagramGrid *l, uint32_t a, uint32_t b) { return l->cells.items[a].y < l->cells.items[b].y; }

static void straighten_feedback(DiagramGrid *l) {
  VEC(uint32_t) chains = {0};
  for (uint32_t i = 0; i < l->cells.count; i++) {
    bool start = l->cells.items[i].back &&
                 (i == 0 || !l->cells.items[i - 1].back || l->cells.items[i - 1].net != l->cells.items[i].net);
    if (start) vec_push(l->arena, &chains, i);
  }
  for (uint32_t i = 1; i < chains.count; i++) {
    uint32_t x = chains.items[i], k = i;
    for (; k > 0 && by_height(l, x, chains.items[k - 1]); k--) chains.items[k] = chains.items[k - 1];
    chains.items[k] = x;
  }
  // from below, to make room, then from above, to close up
  for (uint32_t i = chains.count; i-- > 0;) straighten_net(l, chains.items[i]);
  for (uint32_t i = 0; i < chains.count; i++) straighten_net(l, chains.items[i]);
}

static void set_heights(DiagramGrid *l) {
  uint32_t most = 1;
  for (uint32_t c = 0; c < l->columns; c++) most = l->column[c].count > most ? l->column[c].count : most;
  double *weight = arena_array(l->arena, most, sizeof *weight);
  if (!weight) return;
  // at first as close as can be
  for (uint32_t c = 0; c < l->columns; c++) {
    double y = 0;
    for (uint32_t i = 0; i < l->column[c].count; i++) {
      GridCell *cell = &l->cells.items[l->column[c].cells[i]];
      if (i > 0) y += grid_gap(&l->cells.items[l->column[c].cells[i - 1]], cell);
      cell->y = y;
    }
  }
  // to and fro: each cell wants to stand where its wires run straight, each column settles
  int most_rounds = l->cells.count > grid_most_cells ? large_height_rounds : height_rounds;
  for (int round = 0; round < most_rounds + last_rounds; round++) {
    bool last = round >= most_rounds, left = round % 2 == 0;
    if (round == most_rounds / 2 || round == most_rounds - 2) sort_pins(l);
    for (uint32_t k = 0; k < l->columns; k++) {
      uint32_t c = left ? k : l->columns - 1 - k;
      GridColumn *col = &l->column[c];
      for (uint32_t i = 0; i < col->count; i++) {
        GridCell *cell = &l->cells.items[col->cells[i]];
        weight[i] = least_weight;
        double a = wanted_height(l, col->cells[i], &l->channel[left ? c : c + 1], left, last, &weight[i]), request = a;
        if (!last) {
          double w = least_weight, b = wanted_height(l, col->cells[i], &l->channel[left ? c + 1 : c], !left, false, &w);
          if (isnan(request)) request = b;
          else if (!isnan(b)) request = near_side * a + (1 - near_side) * b;
        } else if (!left) { // the last round moves only cells that have no neighbour at the left
          double w = 0, other = wanted_height(l, col->cells[i], &l->channel[c], true, true, &w);
          if (!isnan(other)) {
            request = cell->y;
            weight[i] = fixed_weight;
          }
        }
        cell->sort = isnan(request) ? cell->y : request;
        if (cell->back) weight[i] = back_weight;
      }
      settle(l, col, weight);
    }
  }
  // three times: one that moves may make room for another
  for (int pass = 0; pass < 3; pass++) straighten_feedback(l);
  // from the top margin on
  double top = INFINITY, bottom = -INFINITY;
  for (uint32_t i = 0; i < l->cells.count; i++) {
    const GridCell *c = &l->cells.items[i];
    top = fmin(top, c->y - c->up);
    bottom = fmax(bottom, c->y + c->down);
  }
  for (uint32_t i = 0; i < l->cells.count; i++) l->cells.items[i].y += grid_margin - top;
  l->out->height = bottom - top + 2 * grid_margin;
}

bool diagram_layout(Arena *arena, const Diagram *diagram, const BlockBox *boxes, DiagramLayout *out) {
  *out = (DiagramLayout){.width = 2 * grid_margin, .height = 2 * grid_margin};
  DiagramGrid layout = {.arena = arena, .diagram = diagram, .boxes = boxes, .out = out, .count = diagram->nodes.count},
              *l = &layout;
  uint32_t n = l->count;
  if (n == 0) return true;
  out->places = arena_array(arena, n, sizeof *out->places);
  l->net_base = arena_array(arena, n + 1, sizeof(uint32_t));
  l->pin_base = arena_array(arena, n + 1, sizeof(uint32_t));
  l->layer = arena_array(arena, n, sizeof(uint32_t));
  l->order = arena_array(arena, n, sizeof(uint32_t));
  l->cell_of = arena_array(arena, n, sizeof(uint32_t));
  if (arena_failed(arena)) return false;
  // nets and pins are numbered through all nodes
  for (uint32_t i = 0; i < n; i++) {
    const DiagramNode *x = &diagram->nodes.items[i];
    l->net_base[i + 1] = l->net_base[i] + grid_outs(x);
    l->pin_base[i + 1] = l->pin_base[i] + x->pins.count;
    out->places[i].order = arena_array(arena, x->pins.count + 1, sizeof(uint32_t));
    for (uint32_t k = 0; out->places[i].order && k < x->pins.count; k++) out->places[i].order[k] = k;
  }
  l->back = arena_array(arena, l->pin_base[n] + 1, sizeof *l->back);
  if (arena_failed(arena)) return false;
  // steps 1 to 4 of the head
  find_feedback(l);
  if (arena_failed(arena) || !make_columns(l)) return false;
  order_cells(l);
  for (uint32_t v = 0; v < n; v++) {
    GridColumn *c = &l->column[l->layer[v]];
    c->w = fmax(c->w, boxes[v].w);
  }
  set_heights(l);
  // step 5, and the wires
  wires_part(l, false);
  wires_straighten(l);
  // a jog is better than two wires on each other, and these are worse than a narrow gap
  wires_part(l, true);
  wires_part(l, false);
  wires_route(l);
  wires_pass(l);
  wires_merge(out);
  return !arena_failed(arena);
}
