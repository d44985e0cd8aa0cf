// Links and joints as a tree: the parent of each link, and cycles and other errors that make no tree.
//
// Names are found by bisection in a sorted list. A link has one joint that moves it, and the root has none; going from
// each link up to one that is known to be safe finds cycles, each link once.
#include "base/words.h"
#include "lang/import_urdf.h"

#include <stdlib.h>
#include <string.h>

static const char *const kinds[urdf_kinds] = {
    [urdf_revolute] = "revolute", [urdf_continuous] = "continuous", [urdf_prismatic] = "prismatic",
    [urdf_fixed] = "fixed",       [urdf_floating] = "floating",     [urdf_planar] = "planar"};

const char *urdf_kind(UrdfKind kind) { return kinds[kind]; }

typedef struct Named {
  const char *name;
  uint32_t index;
  Span span;
} Named;

typedef struct UrdfTree {
  Arena *arena;
  Diags *diags;
  UrdfRobot *robot;
  Named *links, *joints; // by name
} UrdfTree;

// ---- names

static int by_name(const void *a, const void *b) {
  const Named *x = a, *y = b;
  int order = strcmp(x->name, y->name);
  return order ? order : x->index < y->index ? -1 : x->index > y->index;
}

// The index plus one of the first one of a name; 0: there is none.
static uint32_t find(const Named *list, uint32_t count, const char *name) {
  uint32_t low = 0, high = count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (strcmp(list[middle].name, name) < 0) low = middle + 1;
    else high = middle;
  }
  return low < count && strcmp(list[low].name, name) == 0 ? list[low].index + 1 : 0;
}

static void sort_names(UrdfTree *t, Named *list, uint32_t count, const char *what) {
  if (count) qsort(list, count, sizeof *list, by_name);
  for (uint32_t i = 1; i < count; i++) {
    if (strcmp(list[i].name, list[i - 1].name) != 0) continue;
    diag_error(t->diags, diag_urdf, list[i].span, "a second %s is called `%s`", what, list[i].name);
    diag_also(t->diags, list[i - 1].span, "the other one");
  }
}

static bool list_names(UrdfTree *t) {
  const UrdfRobot *r = t->robot;
  t->links = arena_array(t->arena, (size_t)r->links.count + 1, sizeof *t->links);
  t->joints = arena_array(t->arena, (size_t)r->joints.count + 1, sizeof *t->joints);
  if (!t->links || !t->joints) return false;
  for (uint32_t i = 0; i < r->links.count; i++)
    t->links[i] = (Named){r->links.items[i].name, i, r->links.items[i].span};
  for (uint32_t i = 0; i < r->joints.count; i++)
    t->joints[i] = (Named){r->joints.items[i].name, i, r->joints.items[i].span};
  sort_names(t, t->links, r->links.count, "link");
  sort_names(t, t->joints, r->joints.count, "joint");
  return true;
}

// A hint: the name that is meant, if one is near.
static void hint_nearest(UrdfTree *t, const Named *list, uint32_t count, const char *name) {
  enum { most_compared = 10000 };
  const char *best = NULL;
  unsigned least = strlen(name) > 4 ? 3 : 2;
  for (uint32_t i = 0; i < count && i < most_compared; i++) {
    unsigned d = word_distance(name, list[i].name);
    if (d >= least) continue;
    least = d;
    best = list[i].name;
  }
  if (best) diag_hint(t->diags, "did you mean `%s`?", best);
}

// ---- joints

static uint32_t find_link(UrdfTree *t, const char *name, Span span) {
  uint32_t found = name ? find(t->links, t->robot->links.count, name) : 0;
  if (found || !name) return found;
  diag_error(t->diags, diag_urdf, span, "there is no link `%s`", name);
  hint_nearest(t, t->links, t->robot->links.count, name);
  return 0;
}

static void join(UrdfTree *t, uint32_t i) {
  UrdfJoint *j = &t->robot->joints.items[i];
  j->parent_link = find_link(t, j->parent, j->parent_span);
  j->child_link = find_link(t, j->child, j->child_span);
  if (!j->parent_link || !j->child_link) return;
  UrdfLink *child = &t->robot->links.items[j->child_link - 1];
  if (j->parent_link == j->child_link) {
    diag_error(t->diags, diag_urdf, j->child_span, "the joint `%s` joins the link `%s` with itself", j->name, j->child);
    return;
  }
  if (child->joint) {
    const UrdfJoint *other = &t->robot->joints.items[child->joint - 1];
    diag_error(t->diags, diag_urdf, j->child_span, "the link `%s` hangs on two joints, `%s` and `%s`", child->name,
               other->name, j->name);
    diag_also(t->diags, other->child_span, "the first one");
    diag_hint(t->diags, "a closed loop is a tree with a `constraint` between two points");
    return;
  }
  child->joint = i + 1;
}

static bool has_one_coordinate(const UrdfJoint *j) {
  return j->kind == urdf_revolute || j->kind == urdf_continuous || j->kind == urdf_prismatic;
}

static void find_mimic(UrdfTree *t, uint32_t i) {
  UrdfJoint *j = &t->robot->joints.items[i];
  if (!j->mimic) return;
  j->mimic_joint = find(t->joints, t->robot->joints.count, j->mimic);
  if (!j->mimic_joint) {
    diag_error(t->diags, diag_urdf, j->mimic_span, "there is no joint `%s`", j->mimic);
    hint_nearest(t, t->joints, t->robot->joints.count, j->mimic);
    return;
  }
  const UrdfJoint *of = &t->robot->joints.items[j->mimic_joint - 1];
  if (j->mimic_joint == i + 1) {
    diag_error(t->diags, diag_urdf, j->mimic_span, "the joint `%s` mimics itself", j->name);
    j->mimic_joint = 0;
  } else if (j->kind < urdf_kinds && of->kind < urdf_kinds && (!has_one_coordinate(j) || !has_one_coordinate(of))) {
    const UrdfJoint *bad = has_one_coordinate(j) ? of : j;
    diag_error(t->diags, diag_urdf, j->mimic_span, "joints with one coordinate mimic each other, and `%s` is %s",
               bad->name, urdf_kind(bad->kind));
    j->mimic_joint = 0;
  }
}

// ---- cycles

enum { fresh, active, safe };

// From each one along `next` (0: the end); a chain that comes back to itself is a cycle, reported once by `report`.
static void find_circles(UrdfTree *t, uint32_t count, uint32_t (*next)(const UrdfRobot *, uint32_t),
                         void (*report)(UrdfTree *, uint32_t)) {
  char *state = arena_array(t->arena, (size_t)count + 1, sizeof *state);
  for (uint32_t first = 0; state && first < count; first++) {
    uint32_t at = first + 1;
    while (at && state[at - 1] == fresh) {
      state[at - 1] = active;
      at = next(t->robot, at - 1);
    }
    if (at && state[at - 1] == active) report(t, at - 1);
    for (at = first + 1; at && state[at - 1] == active; at = next(t->robot, at - 1)) state[at - 1] = safe;
  }
}

static uint32_t parent_of(const UrdfRobot *r, uint32_t link) {
  uint32_t joint = r->links.items[link].joint;
  return joint ? r->joints.items[joint - 1].parent_link : 0;
}

static uint32_t mimicked(const UrdfRobot *r, uint32_t joint) { return r->joints.items[joint].mimic_joint; }

static void report_loop(UrdfTree *t, uint32_t link) {
  enum { most_named = 8 };
  const UrdfRobot *r = t->robot;
  Text names = text_in(t->arena);
  uint32_t at = link, count = 0;
  do {
    if (count++ < most_named) text_printf(&names, "%s`%s`", names.length ? ", " : "", r->links.items[at].name);
    at = parent_of(r, at) - 1;
  } while (at != link);
  if (count > most_named) text_put(&names, " and others");
  diag_error(t->diags, diag_urdf, r->joints.items[r->links.items[link].joint - 1].parent_span,
             "links hang on each other in a circle: %s", text_str(&names));
  diag_hint(t->diags, "a closed loop is a tree with a `constraint` between two points");
}

static void report_mimics(UrdfTree *t, uint32_t joint) {
  const UrdfJoint *j = &t->robot->joints.items[joint];
  diag_error(t->diags, diag_urdf, j->mimic_span, "joints mimic each other in a circle, through `%s`", j->name);
}

// ---- the tree

static void check_root(UrdfTree *t) {
  const UrdfLink *root = NULL;
  for (uint32_t i = 0; i < t->robot->links.count; i++) {
    const UrdfLink *l = &t->robot->links.items[i];
    if (l->joint) continue;
    if (root) {
      diag_error(t->diags, diag_urdf, l->span, "the links `%s` and `%s` both hang on no joint: a robot has one root",
                 root->name, l->name);
      return;
    }
    root = l;
  }
}

bool urdf_join(Arena *arena, Diags *diags, UrdfRobot *robot) {
  UrdfTree t = {.arena = arena, .diags = diags, .robot = robot};
  uint32_t errors = diags->errors;
  if (!robot->links.count) {
    diag_error(diags, diag_urdf, robot->span, "this robot has no `<link>`");
    return false;
  }
  if (!list_names(&t)) return false;
  for (uint32_t i = 0; i < robot->joints.count; i++) join(&t, i);
  for (uint32_t i = 0; i < robot->joints.count; i++) find_mimic(&t, i);
  find_circles(&t, robot->links.count, parent_of, report_loop);
  find_circles(&t, robot->joints.count, mimicked, report_mimics);
  if (diags->errors == errors) check_root(&t);
  return diags->errors == errors && !arena_failed(arena);
}
