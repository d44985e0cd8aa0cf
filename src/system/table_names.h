// Names of the tables of a system, for printing its expressions.
#ifndef VIVA_SYSTEM_TABLE_NAMES_H
#define VIVA_SYSTEM_TABLE_NAMES_H

#include "expr/print.h"
#include "system/system.h"

ExprNames table_names(const System *s, Arena *arena); // they live as long as the arena

#endif
