// Dimensions of names of nodes, bars and springs: positions are lengths, forces are forces.
#include "lang/infer_inside.h"

#include <string.h>

static Dim dim_of_length(void) { return dim_of(form_of_unit(&(Unit){.said = true, .dim = {[unit_metre] = 1}})); }

static Dim dim_of_force(void) {
  return dim_of(
      form_of_unit(&(Unit){.said = true, .dim = {[unit_metre] = 1, [unit_kilogram] = 1, [unit_second] = -2}}));
}

DimValue infer_linked(Infer *f, const Decl *d) {
  uint32_t count = f->e->model->linkage.dimensions;
  if (d->kind != decl_node || !count) return dims_any();
  DimValue v = dims_new(f, value_vector, count, 1);
  for (uint32_t i = 0; v.shape && i < count; i++) v.items[i] = dim_of_length();
  return v.shape ? v : dims_any();
}

static DimValue alike(Infer *f, ValueShape shape, uint32_t rows, uint32_t cols, Dim one) {
  DimValue v = dims_new(f, shape, rows, cols);
  for (uint32_t i = 0; v.shape && i < rows * cols; i++) v.items[i] = one;
  return v.shape ? v : dims_any();
}

static Dim dim_of_angle(int seconds) {
  Dim radian = dim_of(form_of_unit(&(Unit){.said = true, .dim = {[unit_second] = (int8_t)seconds}}));
  radian.form.base.power[unit_angle] = ratio_int(1);
  return radian;
}

static DimValue body_field(Infer *f, const char *field) {
  if (strcmp(field, "origin") == 0 || strcmp(field, "com") == 0 || strcmp(field, "point") == 0)
    return alike(f, value_vector, 3, 1, dim_of_length());
  if (strcmp(field, "omega") == 0) return alike(f, value_vector, 3, 1, dim_of_angle(-1));
  if (strcmp(field, "angles") == 0) return alike(f, value_vector, 3, 1, dim_of_angle(0));
  if (strcmp(field, "rotation") == 0) return alike(f, value_matrix, 3, 3, dim_of(form_plain()));
  return dims_any();
}

// Of all bodies together.
static DimValue total_field(Infer *f, const char *field) {
  int8_t metres = strcmp(field, "angular_momentum") == 0 ? 2 : 1;
  Unit push = {.said = true, .dim = {[unit_metre] = metres, [unit_kilogram] = 1, [unit_second] = -1}};
  if (strcmp(field, "com") == 0) return alike(f, value_vector, 3, 1, dim_of_length());
  if (strcmp(field, "mass") == 0)
    return dim_value(dim_of(form_of_unit(&(Unit){.said = true, .dim = {[unit_kilogram] = 1}})));
  return alike(f, value_vector, 3, 1, dim_of(form_of_unit(&push)));
}

DimValue infer_linked_field(Infer *f, const Decl *d, const char *field) {
  if (!d) return total_field(f, field);
  if (d->kind == decl_body) return body_field(f, field);
  bool pulls = d->kind == decl_bar || d->kind == decl_spring;
  if (pulls && strcmp(field, "force") == 0) return dim_value(dim_of_force());
  if (pulls && (strcmp(field, "length") == 0 || strcmp(field, "stretch") == 0)) return dim_value(dim_of_length());
  return pulls && strcmp(field, "angle") == 0 ? dim_value(dim_of_angle(0)) : dims_any();
}
