// A robot as a model: a `body` for each link, in the order of the joints of the file.
//
//   mass, damping, friction   parameters LINK_mass, JOINT_damping, JOINT_friction, so that --set changes them
//   mimic                     constraint JOINT = multiplier*OTHER + offset
//   limits                    where they are asked for, stop JOINT in lower .. upper
//
// A joint with one coordinate gives its name to it; floating and planar ones have several, JOINT_x and so on. The root
// is fixed to the ground. Gravity is not in the file: a model of its own gets it, a part has that of its user.
#include "lang/import_bodies.h"
#include "lang/import_urdf.h"

#include <string.h>

typedef struct UrdfWriter {
  BodyWriter w;
  const UrdfRobot *robot;
  const char **link, **joint; // their names in the language; of a joint: of its coordinate, or what its ones start with
} UrdfWriter;

static bool choose_names(UrdfWriter *u) {
  const UrdfRobot *r = u->robot;
  u->link = arena_array(u->w.arena, (size_t)r->links.count + 1, sizeof *u->link);
  u->joint = arena_array(u->w.arena, (size_t)r->joints.count + 1, sizeof *u->joint);
  if (!u->link || !u->joint) return false;
  for (uint32_t i = 0; i < r->links.count; i++) u->link[i] = bodies_name(&u->w, r->links.items[i].name);
  for (uint32_t i = 0; i < r->joints.count; i++) {
    const UrdfJoint *j = &r->joints.items[i];
    // a link may have the name of its joint; then the coordinate is called otherwise
    if (j->kind != urdf_fixed) u->joint[i] = bodies_name_or(&u->w, j->name, "joint");
    else u->joint[i] = j->name;
  }
  return !arena_failed(u->w.arena);
}

// What is new in the name of a link or joint; NULL: nothing.
static const char *named(UrdfWriter *u, const char *what, const char *file, const char *model) {
  return strcmp(file, model) == 0 ? NULL : arena_printf(u->w.arena, "%s \"%s\"", what, file);
}

static const char *joined(UrdfWriter *u, const char *a, const char *b) {
  if (!a || !b) return a ? a : b;
  return arena_printf(u->w.arena, "%s, %s", a, b);
}

// ---- links

static const char *put_mass(UrdfWriter *u, uint32_t link) {
  const UrdfLink *l = &u->robot->links.items[link];
  if (!l->has_inertia) return NULL;
  const char *wanted = arena_printf(u->w.arena, "%s_mass", u->link[link]);
  const char *name = wanted ? bodies_name(&u->w, wanted) : NULL;
  if (name) bodies_param(&u->w, name, l->mass, NULL, l->inertial, NULL);
  return name;
}

static const char *coordinates(UrdfWriter *u, uint32_t joint) {
  static const char *const endings[urdf_kinds][4] = {
      [urdf_floating] = {"_x", "_y", "_z", "_r"}, [urdf_planar] = {"_x", "_y", "_th"}};
  UrdfKind kind = u->robot->joints.items[joint].kind;
  if (kind == urdf_fixed) return NULL;
  if (!endings[kind][0]) return u->joint[joint];
  Text t = text_in(u->w.arena);
  for (int i = 0; i < 4 && endings[kind][i]; i++) {
    const char *wanted = arena_printf(u->w.arena, "%s%s", u->joint[joint], endings[kind][i]);
    const char *name = wanted ? bodies_name(&u->w, wanted) : NULL;
    text_printf(&t, "%s%s", i ? ", " : "", name ? name : "");
  }
  return text_str(&t);
}

static void put_link(UrdfWriter *u, uint32_t link, const char *mass) {
  static const char *const words[urdf_kinds] = {
      [urdf_revolute] = "revolute", [urdf_continuous] = "revolute", [urdf_prismatic] = "prismatic",
      [urdf_fixed] = "fixed",       [urdf_floating] = "free",       [urdf_planar] = "planar"};
  const UrdfLink *l = &u->robot->links.items[link];
  const UrdfJoint *j = l->joint ? &u->robot->joints.items[l->joint - 1] : NULL;
  ImportBody body = {.name = u->link[link], .parent = "ground", .joint = "fixed", .mass = mass, .span = l->span};
  memcpy(body.com, l->com, sizeof body.com);
  memcpy(body.inertia, l->inertia, sizeof body.inertia);
  body.note = named(u, "link", l->name, body.name);
  if (j) {
    body.parent = u->link[j->parent_link - 1];
    body.joint = words[j->kind];
    body.axis = j->kind == urdf_fixed || j->kind == urdf_floating ? NULL : j->axis;
    body.coordinates = coordinates(u, l->joint - 1);
    memcpy(body.at, j->at, sizeof body.at);
    memcpy(body.turned, j->turned, sizeof body.turned);
    body.note = joined(u, body.note, named(u, "joint", j->name, u->joint[l->joint - 1]));
    body.span = j->span;
  }
  bodies_write(&u->w, &body);
}

// ---- joints

static bool has_one_coordinate(const UrdfJoint *j) {
  return j->kind == urdf_revolute || j->kind == urdf_continuous || j->kind == urdf_prismatic;
}

static const char *put_factor(UrdfWriter *u, const char *joint, const char *what, const UrdfNumber *n) {
  const char *wanted = arena_printf(u->w.arena, "%s_%s", joint, what);
  const char *name = wanted ? bodies_name(&u->w, wanted) : NULL;
  if (name) bodies_param(&u->w, name, n->value, NULL, n->span, NULL);
  return name ? name : "";
}

static void put_dynamics(UrdfWriter *u, uint32_t i) {
  const UrdfJoint *j = &u->robot->joints.items[i];
  const char *q = u->joint[i];
  Text *t = &u->w.out->text;
  if (!has_one_coordinate(j)) return;
  if (j->damping.value > 0) {
    const char *d = put_factor(u, q, "damping", &j->damping);
    text_printf(t, "dissipation 1/2*%s*%s'^2", d, q);
    bodies_end(&u->w, j->damping.span);
  }
  if (j->friction.value > 0) {
    const char *f = put_factor(u, q, "friction", &j->friction);
    text_printf(t, "force %s = friction(%s', %s)", q, q, f);
    bodies_end(&u->w, j->friction.span);
  }
}

static void put_mimic(UrdfWriter *u, uint32_t i) {
  const UrdfJoint *j = &u->robot->joints.items[i];
  Text *t = &u->w.out->text;
  if (!j->mimic_joint) return;
  text_printf(t, "constraint %s = ", u->joint[i]);
  if (j->multiplier != 1) {
    bodies_number(&u->w, j->multiplier);
    text_putc(t, '*');
  }
  text_put(t, u->joint[j->mimic_joint - 1]);
  if (j->offset != 0) {
    text_put(t, j->offset < 0 ? " - " : " + ");
    bodies_number(&u->w, j->offset < 0 ? -j->offset : j->offset);
  }
  bodies_note(&u->w, "mimic");
  bodies_end(&u->w, j->mimic_span);
}

// Those that others mimic stay where they start, and the others follow.
static void put_leaders(UrdfWriter *u) {
  uint32_t count = u->robot->joints.count;
  bool *leads = arena_array(u->w.arena, (size_t)count + 1, sizeof *leads);
  for (uint32_t i = 0; leads && i < count; i++) {
    uint32_t of = u->robot->joints.items[i].mimic_joint;
    if (of && !u->robot->joints.items[of - 1].mimic_joint) leads[of - 1] = true;
  }
  for (uint32_t i = 0; leads && i < count; i++) {
    if (!leads[i]) continue;
    text_printf(&u->w.out->text, "init %s = 0", u->joint[i]);
    bodies_end(&u->w, u->robot->joints.items[i].span);
  }
}

static void put_limits(UrdfWriter *u) {
  const char *stiffness = NULL, *damping = NULL;
  Text *t = &u->w.out->text;
  for (uint32_t i = 0; i < u->robot->joints.count; i++) {
    const UrdfJoint *j = &u->robot->joints.items[i];
    if (!has_one_coordinate(j) || !j->lower.said || j->lower.value >= j->upper.value) continue;
    if (!stiffness) {
      bodies_line(&u->w, "");
      stiffness = bodies_name(&u->w, "stop_stiffness");
      damping = bodies_name(&u->w, "stop_damping");
      if (!stiffness || !damping) return;
      bodies_param(&u->w, stiffness, 1e4, NULL, (Span){0}, "of limits: not in the file");
      bodies_param(&u->w, damping, 10, NULL, (Span){0}, NULL);
    }
    text_printf(t, "stop %s in ", u->joint[i]);
    bodies_number(&u->w, j->lower.value);
    text_put(t, " .. ");
    bodies_number(&u->w, j->upper.value);
    text_printf(t, " stiffness %s damping %s", stiffness, damping);
    bodies_end(&u->w, j->lower.span.source ? j->lower.span : j->upper.span);
  }
}

// ---- the whole

static void put_head(UrdfWriter *u, const ImportFrom *from) {
  uint32_t links = u->robot->links.count, joints = u->robot->joints.count;
  Text *t = &u->w.out->text;
  bodies_title(&u->w, u->robot->name, u->robot->span);
  text_printf(t, "# A robot of URDF: %u link%s, %u joint%s. Lengths in m, angles in rad.", links, links == 1 ? "" : "s",
              joints, joints == 1 ? "" : "s");
  bodies_end(&u->w, (Span){0});
  bodies_line(&u->w, "");
  if (!from->part) bodies_line(&u->w, "gravity [0, 0, -9.81]  # not in the file");
}

void urdf_write(Arena *arena, const ImportFrom *from, const UrdfRobot *robot, Imported *out) {
  UrdfWriter u = {.w = {.arena = arena, .out = out}, .robot = robot};
  uint32_t links = robot->links.count, joints = robot->joints.count;
  if (!choose_names(&u)) return;
  const char **mass = arena_array(arena, (size_t)links + 1, sizeof *mass);
  if (!mass) return;
  put_head(&u, from);
  for (uint32_t i = 0; i < links; i++) mass[i] = put_mass(&u, i);
  bodies_line(&u.w, "");
  // the root first, then links in the order of their joints: so the coordinates are in the order of the file
  for (uint32_t i = 0; i < links; i++) {
    if (!robot->links.items[i].joint) put_link(&u, i, mass[i]);
  }
  for (uint32_t i = 0; i < joints; i++) {
    uint32_t link = robot->joints.items[i].child_link - 1;
    put_link(&u, link, mass[link]);
  }
  bool more = false;
  for (uint32_t i = 0; i < joints; i++) {
    const UrdfJoint *j = &robot->joints.items[i];
    more = more || j->damping.value > 0 || j->friction.value > 0 || j->mimic_joint;
  }
  if (more) bodies_line(&u.w, "");
  for (uint32_t i = 0; i < joints; i++) put_dynamics(&u, i);
  for (uint32_t i = 0; i < joints; i++) put_mimic(&u, i);
  put_leaders(&u);
  if (from->limits) put_limits(&u);
}
