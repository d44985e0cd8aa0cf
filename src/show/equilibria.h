// Equilibria and their stability as text or JSON.
#ifndef VIVA_SHOW_EQUILIBRIA_H
#define VIVA_SHOW_EQUILIBRIA_H

#include "linear/equilibria.h"
#include "show/derivation.h"

void show_equilibria(const Equilibria *e, ShowFormat format, Text *out);

#endif
