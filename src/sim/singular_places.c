// All singular configurations of constraints along a path, by bisection with a bound. A part of constrain.h.
//
// The path is halved where the nearness (singular.c) does not exclude one: G would have to move farther than its chord
// between two times says. Pieces that stay uncertain when they are short have one; adjacent pieces have the same one,
// at the time of least nearness. Singular configurations that are nearer to each other than a few of the shortest
// pieces count as one.
#include "sim/motion.h"

enum { deepest = 14 };

typedef struct PlaceSearch {
  const SingularWay *way;
  double *looks; // one a level
  double *times, *values;
  uint32_t count, most;
  double end; // of the last uncertain piece
} PlaceSearch;

typedef struct PlaceLook {
  double t, value;
  double *rows;
} PlaceLook;

static PlaceLook look_at(PlaceSearch *x, double t, uint32_t level) {
  const SingularWay *way = x->way;
  double *rows = x->looks + level * singular_look_size(way->r->p->constraints);
  way->at(way->self, t, way->y);
  return (PlaceLook){t, singular_look_into(way->r, t, way->y, rows), rows};
}

static void keep(PlaceSearch *x, PlaceLook from, PlaceLook to) {
  PlaceLook near = from.value < to.value ? from : to;
  bool same = x->count && x->end >= from.t;
  x->end = to.t;
  if (!same && x->count == x->most) return;
  if (!same) x->count++;
  else if (near.value >= x->values[x->count - 1]) return;
  x->times[x->count - 1] = near.t;
  x->values[x->count - 1] = near.value;
}

static void search(PlaceSearch *x, PlaceLook from, PlaceLook to, double least, uint32_t level) {
  SingularBetween step = singular_between(x->way->r, from.rows, to.rows);
  double moved = fmax(least, step.way), sum = from.value + to.value;
  if (step.known && !step.turned && sum > singular_path_by_chord * moved) return;
  if (level == deepest) {
    if (step.known || !(sum > 0)) keep(x, from, to);
    return;
  }
  PlaceLook middle = look_at(x, 0.5 * (from.t + to.t), 2 + level);
  double half = 0.5 * (singular_between(x->way->r, from.rows, middle.rows).way +
                       singular_between(x->way->r, middle.rows, to.rows).way);
  if (x->way->r->p->constraints->gram) half = 0; // it is seen along one direction, and may reverse along others
  search(x, from, middle, half, level + 1);
  search(x, middle, to, half, level + 1);
}

uint32_t singular_search(const SingularWay *way, double from, double to, double *times, uint32_t most) {
  Arena *arena = way->r->scratch;
  PlaceSearch search_room = {.way = way, .times = times, .most = most, .end = -INFINITY}, *x = &search_room;
  x->looks = arena_array(arena, (deepest + 2) * singular_look_size(way->r->p->constraints), sizeof *x->looks);
  x->values = arena_array(arena, most, sizeof *x->values);
  if (!x->looks || !x->values) return 0;
  search(x, look_at(x, from, 0), look_at(x, to, 1), 0, 0);
  return x->count;
}
