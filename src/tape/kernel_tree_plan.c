// Plan of a call of the articulated-body kernel: where the operands of links stand, the sparsity pattern of the
// derivatives, and the orders in which links are visited.
//
// orders   Links of one kind, one after the other, run in one loop: a processor that guesses the next kind wrongly
//          waits longer than a link takes. By level: links of one distance from the ground do not wait for each other.
//          Deep: a branch is finished before the next one, so eight states at once stay in the nearest memory
// bits     What a parent feels is a sum over its children. In both orders they come as: the first of them, then the
//          others, by class and number
#include "tape/kernel_tree_parts.h"

#include <stdlib.h>
#include <string.h>

typedef struct TreePlan {
  Arena *arena;
  const KernelTree *of;
  TreeData *out;
  uint32_t *tree;  // of each link
  uint32_t *depth; // of each link: from the ground
  uint32_t *position, *velocity, *sine, *joint, *parent, *how, *kept, *above, *class, *zeros;
  uint32_t *member_start, *member, *operands, *operand, *owner, *start;
} TreePlan;

static uint32_t parts_of(const TreePlan *p, uint32_t link, bool positions) {
  return p->of->links[link].joint == kernel_ball ? positions ? 4 : 3 : 1;
}

static bool plan_room(TreePlan *p) {
  uint32_t **const lists[] = {&p->tree,   &p->depth,    &p->position, &p->velocity, &p->sine,
                              &p->joint,  &p->parent,   &p->how,      &p->kept,     &p->above,
                              &p->member, &p->operands, &p->class,    &p->zeros,    &p->member_start};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
    *lists[i] = arena_array(p->arena, (size_t)p->of->count + 2, sizeof **lists[i]);
    if (!*lists[i]) return false;
  }
  return true;
}

// Where the operands of each link stand.
static void number_operands(TreePlan *p) {
  viva_tree *s = &p->out->s;
  uint32_t turning = 0;
  for (uint32_t i = 0; i < p->of->count; i++) {
    const KernelLink *l = &p->of->links[i];
    p->parent[i] = l->parent;
    p->joint[i] = l->axis;
    if (l->joint == kernel_prismatic) p->joint[i] += viva_tree_prismatic;
    if (l->joint == kernel_ball) p->joint[i] = viva_tree_ball;
    p->how[i] = viva_tree_leaf | (l->straight ? 0 : viva_tree_turned) | (l->parent ? 0 : viva_tree_root);
    p->position[i] = s->positions;
    p->velocity[i] = s->velocities;
    p->kept[i] = s->keeps;
    p->above[i] = l->parent ? p->kept[l->parent - 1] : 0;
    s->positions += parts_of(p, i, true);
    s->velocities += parts_of(p, i, false);
    s->keeps += l->joint == kernel_ball ? viva_tree_kept_ball : viva_tree_kept;
    p->tree[i] = l->parent ? p->tree[l->parent - 1] : s->trees++;
    p->depth[i] = l->parent ? p->depth[l->parent - 1] + 1 : 0;
    if (l->parent) p->how[l->parent - 1] &= ~(unsigned)viva_tree_leaf;
  }
  s->links = p->of->count;
  s->force = s->positions + s->velocities;
  for (uint32_t i = 0; i < p->of->count; i++) {
    if (p->of->links[i].joint == kernel_revolute) p->sine[i] = s->force + s->velocities + 2 * turning++;
  }
  s->gravity = s->force + s->velocities + 2 * turning;
  s->number = s->gravity + 3;
  p->out->operands = s->number + viva_tree_numbers * s->links;
}

// ---- classes

typedef struct Kind {
  uint32_t joint, how, zeros, link;
} Kind;

static int compare_kinds(const void *a, const void *b) {
  const Kind *x = a, *y = b;
  if (x->joint != y->joint) return x->joint < y->joint ? -1 : 1;
  if (x->how != y->how) return x->how < y->how ? -1 : 1;
  if (x->zeros != y->zeros) return x->zeros < y->zeros ? -1 : 1;
  return x->link < y->link ? -1 : x->link > y->link;
}

// Links of one class are alike in everything that is compared.
static uint32_t number_classes(TreePlan *p, Kind *kinds) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < p->of->count; i++) kinds[i] = (Kind){p->joint[i], p->how[i], p->zeros[i], i};
  qsort(kinds, p->of->count, sizeof *kinds, compare_kinds);
  for (uint32_t k = 0; k < p->of->count; k++) {
    const Kind *x = &kinds[k], *before = k ? x - 1 : x;
    count += !k || x->joint != before->joint || x->how != before->how || x->zeros != before->zeros;
    p->class[x->link] = count - 1;
  }
  return count;
}

// In classes of fewer links than these zeros do not count.
static void drop_zeros(TreePlan *p, const Kind *kinds, uint32_t few) {
  for (uint32_t from = 0, to; from < p->of->count; from = to) {
    for (to = from; to < p->of->count && p->class[kinds[to].link] == p->class[kinds[from].link];) to++;
    for (uint32_t k = from; k < to && to - from < few; k++) p->zeros[kinds[k].link] = 0;
  }
}

// The first of each parent: by class, then by number. Then classes once more, which know it.
static bool find_classes(TreePlan *p) {
  enum { few = 4, most = 48 }; // text is written for each class: not for the zeros of a few links
  const uint32_t n = p->of->count;
  Kind *kinds = arena_array(p->arena, (size_t)n + 1, sizeof *kinds);
  uint32_t *first = arena_array(p->arena, (size_t)n + 1, sizeof *first); // plus one
  if (!kinds || !first) return false;
  for (uint32_t i = 0; i < n; i++) p->zeros[i] = p->of->links[i].zeros;
  number_classes(p, kinds);
  drop_zeros(p, kinds, few);
  if (number_classes(p, kinds) > most) drop_zeros(p, kinds, UINT32_MAX);
  number_classes(p, kinds);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t *now = p->parent[i] ? &first[p->parent[i] - 1] : NULL;
    if (now && (!*now || p->class[i] < p -> class[*now - 1])) *now = i + 1;
  }
  for (uint32_t i = 0; i < n; i++) {
    if (first[i]) p->how[first[i] - 1] |= viva_tree_first;
  }
  p->out->classes = number_classes(p, kinds);
  return true;
}

// ---- orders

typedef struct LinkVisit {
  uint32_t what, level, late, class, link; // in this order they are compared
} LinkVisit;

typedef struct LinkVisits {
  TreePlan *p;
  LinkVisit *items;
  uint32_t count;
} LinkVisits;

static int compare_visits(const void *a, const void *b) {
  const uint32_t *x = a, *y = b;
  for (size_t k = 0; k < sizeof(LinkVisit) / sizeof *x; k++) {
    if (x[k] != y[k]) return x[k] < y[k] ? -1 : 1;
  }
  return 0;
}

static void put_visit(LinkVisits *v, uint32_t link, uint32_t what, uint32_t level, uint32_t late) {
  v->items[v->count++] = (LinkVisit){what, level, late, v->p->class[link], link};
}

// The first of its parent comes inwards before the others.
static uint32_t is_late(const TreePlan *p, uint32_t link) { return !(p->how[link] & viva_tree_first); }

// Runs of the visits as they stand.
static bool put_order(const LinkVisits *v, const uint32_t *own, uint32_t frames, viva_tree_order *o,
                      const uint32_t **classes) {
  const TreePlan *p = v->p;
  uint32_t *what, *joint, *how, *end, *link, *class, *up, runs = 0;
  uint32_t **const lists[] = {&what, &joint, &how, &end, &link, &class};
  for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
    *lists[k] = arena_array(p->arena, (size_t)v->count + 1, sizeof **lists[k]);
    if (!*lists[k]) return false;
  }
  up = arena_array(p->arena, (size_t)p->of->count + 1, sizeof *up);
  if (!up) return false;
  for (uint32_t i = 0; i < p->of->count; i++) up[i] = p->parent[i] ? own[p->parent[i] - 1] : 0;
  for (uint32_t k = 0; k < v->count; k++) {
    const LinkVisit *x = &v->items[k];
    if (!k || x->what != x[-1].what || x->class != x[-1].class) {
      what[runs] = x->what;
      joint[runs] = p->joint[x->link];
      how[runs] = p->how[x->link];
      class[runs++] = x->class;
    }
    end[runs - 1] = k + 1;
    link[k] = x->link;
  }
  *o = (viva_tree_order){runs, frames, what, joint, how, end, link, own, up};
  *classes = class;
  return true;
}

static bool order_by_level(LinkVisits *v) {
  TreePlan *p = v->p;
  const uint32_t n = p->of->count;
  uint32_t *own = arena_array(p->arena, (size_t)n + 1, sizeof *own), frames = 0;
  if (!own) return false;
  v->count = 0;
  for (uint32_t i = 0; i < n; i++) {
    bool carries = !(p->how[i] & viva_tree_leaf);
    if (carries) own[i] = frames++;
    if (carries) put_visit(v, i, viva_tree_outwards, p->depth[i], 0);
    put_visit(v, i, viva_tree_inwards, UINT32_MAX - p->depth[i], is_late(p, i));
    put_visit(v, i, viva_tree_out_again, p->depth[i], 0);
  }
  qsort(v->items, v->count, sizeof *v->items, compare_visits);
  return put_order(v, own, frames, &p->out->s.level, &p->out->level_run);
}

// Links as branches, each number plus one: what hangs on a link first, what hangs beside it next; 0: nothing. Children
// stand in the order in which they come inwards.
typedef struct TreeBranches {
  const uint32_t *parent;
  uint32_t *child, *sibling, roots;
} TreeBranches;

static bool find_branches(TreePlan *p, LinkVisit *passing, TreeBranches *b) {
  const uint32_t n = p->of->count;
  *b = (TreeBranches){p->parent, arena_array(p->arena, (size_t)n + 1, sizeof *b->child),
                      arena_array(p->arena, (size_t)n + 1, sizeof *b->sibling), 0};
  if (!b->child || !b->sibling) return false;
  LinkVisits v = {p, passing, 0};
  for (uint32_t i = 0; i < n; i++) put_visit(&v, i, 0, p->parent[i], is_late(p, i));
  qsort(passing, n, sizeof *passing, compare_visits);
  for (uint32_t k = n; k-- > 0;) {
    uint32_t link = passing[k].link, *first = p->parent[link] ? &b->child[p->parent[link] - 1] : &b->roots;
    b->sibling[link] = *first;
    *first = link + 1;
  }
  return true;
}

// A link has a frame from the first that comes inwards to it until it comes itself: along a chain one is enough beside
// that of the parent.
typedef struct TreeFrames {
  uint32_t *own;                 // of each link
  uint32_t *free, count, frames; // those that are free; how many there are
} TreeFrames;

static void use_frames(const TreePlan *p, uint32_t link, TreeFrames *f) {
  const uint32_t parent = p->parent[link];
  if (parent && (p->how[link] & viva_tree_first)) f->own[parent - 1] = f->count ? f->free[--f->count] : f->frames++;
  if (!(p->how[link] & viva_tree_leaf)) f->free[f->count++] = f->own[link];
}

// On the way out a few levels of a branch at once, then branch by branch what hangs on them: neighbours do not wait for
// each other, and their parents are still near.
static bool order_deep(LinkVisits *v) {
  enum { levels = 3 };
  TreePlan *p = v->p;
  const size_t room = (size_t)p->of->count + 1;
  TreeBranches b;
  TreeFrames f = {.own = arena_array(p->arena, room, sizeof *f.own),
                  .free = arena_array(p->arena, room, sizeof *f.free)};
  uint32_t *begin = arena_array(p->arena, room, sizeof *begin), reached = 0; // of each link: where its levels begin
  if (!f.own || !f.free || !begin || !find_branches(p, v->items, &b)) return false;
  v->count = 0;
  for (uint32_t next = b.roots; next;) {
    uint32_t link = next - 1;
    begin[link] = p->depth[link] % levels ? begin[b.parent[link] - 1] : reached++;
    if (b.child[link]) put_visit(v, link, viva_tree_outwards, 0, 0);
    next = b.child[link];
    // back to the next branch: what is left behind comes inwards
    for (uint32_t at = link + 1; !next && at; at = b.parent[at - 1]) {
      put_visit(v, at - 1, viva_tree_inwards, 0, 0);
      use_frames(p, at - 1, &f);
      next = b.sibling[at - 1];
    }
  }
  const uint32_t again = v->count;
  for (uint32_t i = 0; i < p->of->count; i++) put_visit(v, i, viva_tree_out_again, begin[i], p->depth[i]);
  qsort(v->items + again, v->count - again, sizeof *v->items, compare_visits);
  return put_order(v, f.own, f.frames, &p->out->deep, &p->out->deep_run);
}

static bool find_orders(TreePlan *p) {
  LinkVisits v = {p, arena_array(p->arena, 3 * (size_t)p->of->count + 1, sizeof *v.items), 0};
  return v.items && order_by_level(&v) && order_deep(&v);
}

// ---- operands and derivatives

// Links and operands tree by tree.
static bool list_trees(TreePlan *p) {
  viva_tree *s = &p->out->s;
  uint32_t all = s->force + s->velocities;
  p->operand = arena_array(p->arena, (size_t)all + 1, sizeof *p->operand);
  p->owner = arena_array(p->arena, (size_t)all + 1, sizeof *p->owner);
  uint32_t *at = arena_array(p->arena, (size_t)s->trees + 1, sizeof *at);
  if (!p->operand || !p->owner || !at) return false;
  for (uint32_t i = 0; i < s->links; i++) {
    p->member_start[p->tree[i] + 1]++;
    p->operands[p->tree[i] + 1] += parts_of(p, i, true) + 2 * parts_of(p, i, false);
  }
  for (uint32_t t = 0; t < s->trees; t++) {
    p->member_start[t + 1] += p->member_start[t];
    p->operands[t + 1] += p->operands[t];
    at[t] = p->member_start[t];
  }
  for (uint32_t i = 0; i < s->links; i++) p->member[at[p->tree[i]]++] = i;
  for (uint32_t t = 0; t < s->trees; t++) at[t] = p->operands[t];
  for (int kind = 0; kind < 3; kind++) {
    for (uint32_t i = 0; i < s->links; i++) {
      uint32_t first = kind == 0 ? p->position[i] : (kind == 1 ? s->positions : s->force) + p->velocity[i];
      for (uint32_t k = 0; k < parts_of(p, i, kind == 0); k++) {
        p->owner[first + k] = i;
        p->operand[at[p->tree[i]]++] = first + k;
      }
    }
  }
  return true;
}

// Every acceleration of a tree depends on all of its positions, velocities and forces.
static bool list_pattern(TreePlan *p) {
  viva_tree *s = &p->out->s;
  p->start = arena_array(p->arena, (size_t)s->velocities + 1, sizeof *p->start);
  if (!p->start) return false;
  for (uint32_t i = 0; i < s->links; i++) {
    for (uint32_t k = 0; k < parts_of(p, i, false); k++)
      p->start[p->velocity[i] + k + 1] = p->operands[p->tree[i] + 1] - p->operands[p->tree[i]];
  }
  for (uint32_t i = 0; i < s->velocities; i++) p->start[i + 1] += p->start[i];
  uint32_t *argument = arena_array(p->arena, (size_t)p->start[s->velocities] + 1, sizeof *argument);
  if (!argument) return false;
  for (uint32_t i = 0; i < s->links; i++) {
    uint32_t from = p->operands[p->tree[i]], count = p->operands[p->tree[i] + 1] - from;
    for (uint32_t k = 0; k < parts_of(p, i, false); k++)
      memcpy(argument + p->start[p->velocity[i] + k], p->operand + from, count * sizeof *argument);
  }
  p->out->pattern = (TapePattern){p->start, argument};
  return true;
}

static bool name_faults(TreePlan *p) {
  const char **faults = arena_array(p->arena, (size_t)p->of->count + 1, sizeof *faults);
  if (!faults) return false;
  for (uint32_t i = 0; i < p->of->count; i++)
    faults[i] = arena_printf(p->arena, "nothing behind the joint of %s has inertia", p->of->links[i].name);
  p->out->faults = faults;
  return !arena_failed(p->arena);
}

const void *kernel_tree_plan(Arena *arena, const KernelTree *of) {
  TreePlan plan = {.arena = arena, .of = of, .out = arena_new_of(arena, TreeData)}, *p = &plan;
  if (!p->out || !plan_room(p)) return NULL;
  number_operands(p);
  if (!find_classes(p) || !find_orders(p) || !list_trees(p) || !list_pattern(p) || !name_faults(p)) return NULL;
  viva_tree *s = &p->out->s;
  s->parent = p->parent;
  s->joint = p->joint;
  s->how = p->how;
  s->position = p->position;
  s->velocity = p->velocity;
  s->kept = p->kept;
  s->above = p->above;
  s->sine = p->sine;
  s->member_start = p->member_start;
  s->member = p->member;
  s->operands = p->operands;
  s->operand = p->operand;
  s->owner = p->owner;
  s->start = p->start;
  p->out->class_of = p->class;
  return p->out;
}
