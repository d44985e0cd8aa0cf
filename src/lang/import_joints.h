// Tables of joints by movement codes: a row for each body, with the position of its
// joint, a code for its motion, its parent.
//
//   d_x,d_y,d_z,alpha,beta,code,parent      d in mm, angles in degrees; `d_x [m]` changes the unit
//
//   1 2 3  prismatic along x, y, z       7  prismatic along (cos alpha cos beta, sin alpha cos beta, sin beta)
//   4 5 6  revolute about x, y, z        8  revolute about it
//
// parts: import_joints.c import_joints_rows.c
#ifndef VIVA_LANG_IMPORT_JOINTS_H
#define VIVA_LANG_IMPORT_JOINTS_H

#include "lang/imported.h"

typedef enum JointColumn {
  column_name,
  column_joint,
  column_d_x,
  column_d_y,
  column_d_z,
  column_alpha,
  column_beta,
  column_code,
  column_parent,
  column_mass,
  column_com_x,
  column_com_y,
  column_com_z,
  column_ixx,
  column_iyy,
  column_izz,
  column_ixy,
  column_ixz,
  column_iyz,
  column_count
} JointColumn;

typedef struct JointCell {
  const char *text; // without blanks and quotes; NULL: none
  Span span;
} JointCell;

typedef struct JointRow {
  JointCell cell[column_count];
  double number[column_count]; // of the cells that are numbers
  const char *id;              // by which others call it their parent
  uint32_t parent;             // row plus one; 0: the ground
  Span span;
} JointRow;

typedef struct JointTable {
  bool has[column_count];
  const char *unit[column_count]; // as the header writes it; NULL: it does not
  double scale[column_count];     // of a number in the unit, in SI
  Span header[column_count];
  Span head;
  VEC(JointRow) rows;
} JointTable;

bool joints_recognise(const char *path, const char *text, size_t length);
bool joints_import(Arena *arena, const ImportFrom *from, Diags *diags, Imported *out);

// Header and rows; false: reported, or out of memory.
bool joints_read(Arena *arena, const ImportFrom *from, Diags *diags, JointTable *table);

#endif
