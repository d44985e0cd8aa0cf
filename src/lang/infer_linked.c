// Dimensions of names of nodes, bars and springs: places are lengths, forces are forces.
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

DimValue infer_linked_field(const Decl *d, const char *field) {
  bool pulls = d->kind == decl_bar || d->kind == decl_spring;
  if (pulls && strcmp(field, "force") == 0) return dim_value(dim_of_force());
  if (pulls && (strcmp(field, "length") == 0 || strcmp(field, "stretch") == 0)) return dim_value(dim_of_length());
  Dim radian = dim_of(form_plain());
  radian.form.base.power[unit_angle] = ratio_int(1);
  return pulls && strcmp(field, "angle") == 0 ? dim_value(radian) : dims_any();
}
