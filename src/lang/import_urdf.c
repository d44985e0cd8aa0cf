// Reads the elements of a robot: links with their inertia, joints with their axes, limits, damping, mimicry.
//
// Every error is reported at its attribute; reading goes on with what was meant to stand there. What the format
// demands is demanded (a <limit> of revolute and prismatic joints with effort and velocity, six moments of inertia),
// though a model needs less.
#include "lang/import_urdf.h"

#include "base/number.h"
#include "base/xml.h"

#include <math.h>
#include <string.h>

typedef struct UrdfReader {
  Arena *arena;
  Diags *diags;
  UrdfRobot *robot;
} UrdfReader;

// Is it XML, or does its name say so?
bool urdf_recognise(const char *path, const char *text, size_t length) {
  size_t name = strlen(path);
  if (name >= 5 && strcmp(path + name - 5, ".urdf") == 0) return true;
  size_t at = length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
  while (at < length && (text[at] == ' ' || text[at] == '\t' || text[at] == '\r' || text[at] == '\n')) at++;
  return at + 1 < length && text[at] == '<';
}

// ---- attributes

// NULL: it is missing, reported.
static const XmlAttribute *need(UrdfReader *r, const XmlElement *e, const char *name) {
  const XmlAttribute *a = xml_attribute(e, name);
  if (!a) diag_error(r->diags, diag_urdf, e->span, "`<%s>` has no `%s`", e->name, name);
  return a;
}

static bool starts_number(char c) { return (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '+'; }

// One number of an attribute; false: reported. *text goes on behind it.
static bool take_number(UrdfReader *r, const XmlAttribute *a, const char **text, double *value) {
  size_t length = strcspn(*text, " \t\r\n");
  char copy[64];
  const char *from = *text;
  *text += length;
  bool good = length < sizeof copy && starts_number(from[0]) && strspn(from, "0123456789.eE+-") == length;
  if (good) {
    memcpy(copy, from, length);
    copy[length] = '\0';
    char *end;
    *value = number_parse(copy, &end);
    good = end == copy + length;
  }
  if (!good) {
    diag_error(r->diags, diag_urdf, a->span, "`%s` needs a number, and this is none", a->name);
    if (memchr(from, ',', length)) diag_hint(r->diags, "the decimal point is `.`, and blanks separate numbers");
    return false;
  }
  if (isfinite(*value)) return true;
  diag_error(r->diags, diag_urdf, a->span, "this number is too large");
  return false;
}

static const char *past_blanks(const char *text) { return text + strspn(text, " \t\r\n"); }

// `count` numbers and nothing else; false: reported.
static bool numbers(UrdfReader *r, const XmlAttribute *a, double *out, uint32_t count) {
  const char *text = past_blanks(a->value);
  double value = 0;
  uint32_t found = 0;
  for (; *text; text = past_blanks(text), found++) {
    if (!take_number(r, a, &text, &value)) return false;
    if (found < count) out[found] = value;
  }
  if (found == count) return true;
  if (count == 1) diag_error(r->diags, diag_urdf, a->span, "`%s` is one number, and here are %u", a->name, found);
  else diag_error(r->diags, diag_urdf, a->span, "`%s` is %u numbers, and here are %u", a->name, count, found);
  return false;
}

// A number that may be missing. What is wrong with it is reported, and it counts as not said.
static UrdfNumber optional(UrdfReader *r, const XmlElement *e, const char *name) {
  UrdfNumber n = {0};
  const XmlAttribute *a = e ? xml_attribute(e, name) : NULL;
  if (!a) return n;
  n.span = a->span;
  n.said = numbers(r, a, &n.value, 1);
  if (!n.said) n.value = 0;
  return n;
}

static void needed_number(UrdfReader *r, const XmlElement *e, const char *name, double *out) {
  const XmlAttribute *a = need(r, e, name);
  if (a) numbers(r, a, out, 1);
}

static void vector(UrdfReader *r, const XmlElement *e, const char *name, double out[3]) {
  const XmlAttribute *a = e ? xml_attribute(e, name) : NULL;
  double read[3];
  if (a && numbers(r, a, read, 3)) memcpy(out, read, sizeof read);
}

// Only one of a kind counts; a second one is reported.
static const XmlElement *only(UrdfReader *r, const XmlElement *of, const char *name) {
  const XmlElement *e = xml_child(of, name), *again = e ? xml_again(e) : NULL;
  if (again) diag_error(r->diags, diag_urdf, again->span, "a second `<%s>` in one `<%s>`", name, of->name);
  return e;
}

// ---- links

// R I R' for R = Rz(yaw) Ry(pitch) Rx(roll), entries xx yy zz xy xz yz.
static void turn_inertia(double inertia[6], const double rpy[3]) {
  double cr = cos(rpy[0]), sr = sin(rpy[0]), cp = cos(rpy[1]), sp = sin(rpy[1]), cy = cos(rpy[2]), sy = sin(rpy[2]);
  const double R[3][3] = {{cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr},
                          {sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr},
                          {-sp, cp * sr, cp * cr}};
  const double I[3][3] = {
      {inertia[0], inertia[3], inertia[4]}, {inertia[3], inertia[1], inertia[5]}, {inertia[4], inertia[5], inertia[2]}};
  double out[3][3] = {{0}};
  for (int i = 0; i < 3; i++) {
    for (int j = i; j < 3; j++) {
      for (int k = 0; k < 3; k++) {
        for (int l = 0; l < 3; l++) out[i][j] += R[i][k] * I[k][l] * R[j][l];
      }
    }
  }
  // what rounding left where the rotated tensor has zeros
  double largest = fmax(fabs(out[0][0]), fmax(fabs(out[1][1]), fabs(out[2][2])));
  for (int i = 0; i < 3; i++) {
    for (int j = i + 1; j < 3; j++) {
      if (fabs(out[i][j]) < 1e-16 * largest) out[i][j] = 0;
    }
  }
  memcpy(inertia, (double[6]){out[0][0], out[1][1], out[2][2], out[0][1], out[0][2], out[1][2]}, 6 * sizeof *inertia);
}

static void read_inertial(UrdfReader *r, const XmlElement *e, UrdfLink *link) {
  static const char *const entries[6] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
  const XmlElement *mass = only(r, e, "mass"), *inertia = only(r, e, "inertia"), *origin = only(r, e, "origin");
  double rpy[3] = {0};
  link->inertial = e->span;
  if (!mass) diag_error(r->diags, diag_urdf, e->span, "`<inertial>` of the link `%s` has no `<mass>`", link->name);
  else needed_number(r, mass, "value", &link->mass);
  if (link->mass < 0)
    diag_error(r->diags, diag_urdf, xml_attribute(mass, "value")->span, "the mass of the link `%s` is negative",
               link->name);
  if (!inertia)
    diag_error(r->diags, diag_urdf, e->span, "`<inertial>` of the link `%s` has no `<inertia>`", link->name);
  for (int i = 0; inertia && i < 6; i++) {
    needed_number(r, inertia, entries[i], &link->inertia[i]);
    if (i < 3 && link->inertia[i] < 0)
      diag_error(r->diags, diag_urdf, xml_attribute(inertia, entries[i])->span,
                 "a moment of inertia of the link `%s` is negative", link->name);
  }
  vector(r, origin, "xyz", link->com);
  vector(r, origin, "rpy", rpy);
  bool zero = link->mass == 0;
  for (int i = 0; i < 6; i++) zero = zero && link->inertia[i] == 0;
  link->has_inertia = !zero;
  if (rpy[0] != 0 || rpy[1] != 0 || rpy[2] != 0) turn_inertia(link->inertia, rpy);
}

static void read_link(UrdfReader *r, const XmlElement *e) {
  UrdfLink link = {.span = e->span};
  const XmlAttribute *name = need(r, e, "name");
  if (name && !*name->value) diag_error(r->diags, diag_urdf, name->span, "a link has a name, and this one is empty");
  if (name) {
    link.name = name->value;
    link.span = name->span;
  } else {
    link.name = "";
  }
  const XmlElement *inertial = only(r, e, "inertial");
  if (inertial) read_inertial(r, inertial, &link);
  if (name) vec_push(r->arena, &r->robot->links, link);
}

// ---- joints

static UrdfKind read_kind(UrdfReader *r, const XmlElement *e) {
  const XmlAttribute *a = need(r, e, "type");
  for (int k = 0; a && k < urdf_kinds; k++) {
    if (strcmp(a->value, urdf_kind((UrdfKind)k)) == 0) return (UrdfKind)k;
  }
  if (a) {
    diag_error(r->diags, diag_urdf, a->span, "there is no joint of type `%s`", a->value);
    diag_hint(r->diags, "the types are revolute, continuous, prismatic, fixed, floating and planar");
  }
  return urdf_kinds;
}

static const char *read_end(UrdfReader *r, const XmlElement *joint, const char *which, Span *span) {
  const XmlElement *e = only(r, joint, which);
  if (!e) {
    diag_error(r->diags, diag_urdf, joint->span, "this `<joint>` has no `<%s>`", which);
    return NULL;
  }
  const XmlAttribute *a = need(r, e, "link");
  if (!a) return NULL;
  *span = a->span;
  return a->value;
}

static void read_axis(UrdfReader *r, const XmlElement *e, UrdfJoint *joint) {
  const XmlElement *axis = only(r, e, "axis");
  joint->axis[0] = 1; // what the format says where nothing is said
  if (!axis || joint->kind == urdf_fixed || joint->kind == urdf_floating) return;
  const XmlAttribute *a = need(r, axis, "xyz");
  double v[3];
  if (!a || !numbers(r, a, v, 3)) return;
  double largest = fmax(fabs(v[0]), fmax(fabs(v[1]), fabs(v[2])));
  if (largest == 0) {
    diag_error(r->diags, diag_urdf, a->span, "an axis of zeros has no direction");
    return;
  }
  for (int i = 0; i < 3; i++) v[i] /= largest; // so that squares neither overflow nor vanish
  double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  for (int i = 0; i < 3; i++) joint->axis[i] = v[i] / length;
}

static void read_limit(UrdfReader *r, const XmlElement *e, UrdfJoint *joint) {
  const XmlElement *limit = only(r, e, "limit");
  bool bounded = joint->kind == urdf_revolute || joint->kind == urdf_prismatic;
  if (!limit) {
    if (!bounded) return;
    diag_error(r->diags, diag_urdf, e->span, "a %s joint has a `<limit>`, and `%s` has none", urdf_kind(joint->kind),
               joint->name);
    if (joint->kind == urdf_revolute) diag_hint(r->diags, "a joint that turns without end is `continuous`");
    return;
  }
  double unused;
  needed_number(r, limit, "effort", &unused);
  needed_number(r, limit, "velocity", &unused);
  joint->lower = optional(r, limit, "lower");
  joint->upper = optional(r, limit, "upper");
  if (!bounded) joint->lower.said = joint->upper.said = false;
  if (bounded && (joint->lower.said || joint->upper.said) && joint->upper.value < joint->lower.value)
    diag_error(r->diags, diag_urdf, joint->upper.said ? joint->upper.span : joint->lower.span,
               "the upper limit of `%s` lies below the lower one", joint->name);
  // one that is missing is zero, by the format; both are when neither is said: then the joint cannot move at all
  if (bounded && (joint->lower.said || joint->upper.said)) joint->lower.said = joint->upper.said = true;
}

static void read_mimic(UrdfReader *r, const XmlElement *e, UrdfJoint *joint) {
  const XmlElement *mimic = only(r, e, "mimic");
  if (!mimic) return;
  const XmlAttribute *a = need(r, mimic, "joint");
  UrdfNumber multiplier = optional(r, mimic, "multiplier"), offset = optional(r, mimic, "offset");
  joint->multiplier = multiplier.said ? multiplier.value : 1;
  joint->offset = offset.value;
  if (!a) return;
  joint->mimic = a->value;
  joint->mimic_span = a->span;
}

static void read_dynamics(UrdfReader *r, const XmlElement *e, UrdfJoint *joint) {
  const XmlElement *dynamics = only(r, e, "dynamics");
  joint->damping = optional(r, dynamics, "damping");
  joint->friction = optional(r, dynamics, "friction");
  if (dynamics && !xml_attribute(dynamics, "damping") && !xml_attribute(dynamics, "friction"))
    diag_error(r->diags, diag_urdf, dynamics->span, "`<dynamics>` of `%s` has neither `damping` nor `friction`",
               joint->name);
  if (joint->damping.value < 0)
    diag_error(r->diags, diag_urdf, joint->damping.span, "the damping of `%s` is negative", joint->name);
  if (joint->friction.value < 0)
    diag_error(r->diags, diag_urdf, joint->friction.span, "the friction of `%s` is negative", joint->name);
}

static void read_joint(UrdfReader *r, const XmlElement *e) {
  UrdfJoint joint = {.span = e->span, .name = "", .multiplier = 1};
  const XmlAttribute *name = need(r, e, "name");
  if (name && !*name->value) diag_error(r->diags, diag_urdf, name->span, "a joint has a name, and this one is empty");
  if (name) {
    joint.name = name->value;
    joint.span = name->span;
  }
  joint.kind = read_kind(r, e);
  joint.parent = read_end(r, e, "parent", &joint.parent_span);
  joint.child = read_end(r, e, "child", &joint.child_span);
  const XmlElement *origin = only(r, e, "origin");
  vector(r, origin, "xyz", joint.at);
  vector(r, origin, "rpy", joint.turned);
  read_axis(r, e, &joint);
  if (joint.kind < urdf_kinds) read_limit(r, e, &joint);
  read_mimic(r, e, &joint);
  read_dynamics(r, e, &joint);
  if (name) vec_push(r->arena, &r->robot->joints, joint);
}

// ---- the robot

// A macro of xacro, or a value that only xacro can compute; the first one is reported.
static bool is_xacro(UrdfReader *r, const XmlElement *root) {
  for (const XmlElement *e = root; e;) {
    const XmlAttribute *bad = NULL;
    for (uint32_t i = 0; i < e->attribute_count && !bad; i++) {
      if (strstr(e->attributes[i].value, "${") || strstr(e->attributes[i].value, "$(")) bad = &e->attributes[i];
    }
    bool element = strncmp(e->name, "xacro:", 6) == 0;
    if (element || bad) {
      diag_error(r->diags, diag_urdf, element ? e->span : bad->span,
                 "this is a xacro file: macros, from which a robot is still to be made");
      diag_hint(r->diags, "`xacro FILE > robot.urdf` makes it");
      return true;
    }
    if (e->first) {
      e = e->first;
      continue;
    }
    while (e && e != root && !e->next) e = e->parent;
    e = e && e != root ? e->next : NULL;
  }
  return false;
}

static bool is_robot(UrdfReader *r, const XmlElement *root) {
  if (strcmp(root->name, "robot") == 0) return true;
  diag_error(r->diags, diag_urdf, root->span, "a robot is `<robot name=...>`, and this file starts with `<%s>`",
             root->name);
  if (strcmp(root->name, "sdf") == 0 || strcmp(root->name, "mujoco") == 0)
    diag_hint(r->diags, "of robots, URDF files are read");
  return false;
}

// Links that move without mass: reported once, all of them.
static void note_massless(UrdfReader *r) {
  enum { most_named = 6 };
  Text names = text_in(r->arena);
  Span first = {0};
  uint32_t count = 0;
  for (uint32_t i = 0; i < r->robot->links.count; i++) {
    const UrdfLink *l = &r->robot->links.items[i];
    if (l->has_inertia || !l->joint) continue;
    if (!count) first = l->span;
    if (count++ < most_named) text_printf(&names, "%s`%s`", names.length ? ", " : "", l->name);
  }
  if (!count) return;
  if (count > most_named) text_put(&names, " and others");
  diag_warning(r->diags, diag_massless, first, "%u link%s no inertia and count%s as massless: %s", count,
               count == 1 ? " has" : "s have", count == 1 ? "s" : "", text_str(&names));
}

bool urdf_import(Arena *arena, const ImportFrom *from, Diags *diags, Imported *out) {
  uint32_t errors = diags->errors;
  UrdfRobot robot = {0};
  UrdfReader r = {arena, diags, &robot};
  const XmlElement *root = xml_read(arena, from->sources, from->source, diags);
  const Source *s = source_get(from->sources, (Span){from->source, 0, 0});
  if (!root && diags->errors > errors && !memchr(s->text, '<', s->length))
    diag_hint(diags, "a robot is `<robot name=\"...\">` with links and joints, `</robot>` at its end");
  if (!root || !is_robot(&r, root) || is_xacro(&r, root)) return false;
  const XmlAttribute *name = need(&r, root, "name");
  robot.name = name ? name->value : "";
  robot.span = root->span;
  for (const XmlElement *e = root->first; e; e = e->next) {
    if (strcmp(e->name, "link") == 0) read_link(&r, e);
    if (strcmp(e->name, "joint") == 0) read_joint(&r, e);
  }
  if (arena_failed(arena) || !urdf_join(arena, diags, &robot) || diags->errors > errors) return false;
  note_massless(&r);
  urdf_write(arena, from, &robot, out);
  return !arena_failed(arena);
}
