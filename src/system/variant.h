// A system with other numbers: values of parameters and starts. Nothing is built again.
#ifndef VIVA_SYSTEM_VARIANT_H
#define VIVA_SYSTEM_VARIANT_H

#include "system/system.h"

typedef enum VariantKind {
  variant_other, // no number of the system: an input, say
  variant_param,
  variant_place, // the start of a coordinate, of its velocity, of a state
  variant_velocity,
  variant_state
} VariantKind;

// A number, and what it is to be.
typedef struct Variant {
  VariantKind kind;
  uint32_t index; // of the parameter, coordinate or state
  ExprId value;   // of parameters, in the pool of the system
} Variant;

// Would the system stay as it is but for this number? Not where a parameter says how many things there are or is, or
// was, said by others, which decides their order; nor where equations were solved or combined with a start in them.
bool variant_is_free(const System *s, const Variant *v);
// A copy that shares all but the lists with these numbers, which must be free. False: out of memory.
bool variant_make(System *copy, const System *s, Arena *arena, const Variant *numbers, uint32_t count);

#endif
