// Models of the class that like coincidences, and how a failing one is made smaller.
#ifndef VIVA_TESTS_HYBRID_GENERATE_H
#define VIVA_TESTS_HYBRID_GENERATE_H

#include "model.h"

// The same seed gives the same model.
void generate(Model *m, uint64_t seed);

// Removes and simplifies while `fails` says so; returns how many steps succeeded.
int shrink(Model *m, bool (*fails)(void *self, const Model *m), void *self);

#endif
