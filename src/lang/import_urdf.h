// Robots in the Unified Robot Description Format (URDF): links joined by joints.
//
// in    the XML of a robot; visual, collision, transmission, gazebo and other elements are skipped,
//       meshes are not opened
// out   a tree of links and joints (import_urdf.c, checked by import_urdf_tree.c),
//       and of it the text of a model (import_urdf_text.c)
// parts: import_urdf.c import_urdf_tree.c import_urdf_text.c
#ifndef VIVA_LANG_IMPORT_URDF_H
#define VIVA_LANG_IMPORT_URDF_H

#include "lang/imported.h"

struct XmlElement;

typedef enum UrdfKind {
  urdf_revolute,
  urdf_continuous,
  urdf_prismatic,
  urdf_fixed,
  urdf_floating,
  urdf_planar,
  urdf_kinds
} UrdfKind;

// A number, and whether the file says it.
typedef struct UrdfNumber {
  double value;
  bool said;
  Span span;
} UrdfNumber;

typedef struct UrdfLink {
  const char *name;  // as the file writes it
  Span span;         // of its name
  double mass;       // kg
  double com[3];     // in its own frame, m
  double inertia[6]; // about the com, in its own axes: xx yy zz xy xz yz, kg m^2
  bool has_inertia;  // mass or inertia are not zero
  Span inertial;     // nowhere: it has none
  uint32_t joint;    // that moves it, index plus one; 0: it is the root
} UrdfLink;

typedef struct UrdfJoint {
  const char *name;
  Span span;
  UrdfKind kind;
  const char *parent, *child; // NULL: not said, reported
  Span parent_span, child_span;
  uint32_t parent_link, child_link; // index plus one
  double at[3], turned[3];          // m; about x, then y, then z, rad
  double axis[3];                   // of length 1
  UrdfNumber damping, friction, lower, upper;
  const char *mimic; // another joint; NULL: none
  Span mimic_span;
  uint32_t mimic_joint; // index plus one
  double multiplier, offset;
} UrdfJoint;

typedef struct UrdfRobot {
  const char *name;
  Span span;
  VEC(UrdfLink) links;
  VEC(UrdfJoint) joints;
} UrdfRobot;

bool urdf_recognise(const char *path, const char *text, size_t length);
bool urdf_import(Arena *arena, const ImportFrom *from, Diags *diags, Imported *out);

const char *urdf_kind(UrdfKind kind);                         // "revolute"
bool urdf_join(Arena *arena, Diags *diags, UrdfRobot *robot); // finds who hangs on whom; false: reported
void urdf_write(Arena *arena, const ImportFrom *from, const UrdfRobot *robot, Imported *out);

#endif
