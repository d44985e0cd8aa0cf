// Connections of ports.
#ifndef VIVA_LANG_CONNECT_H
#define VIVA_LANG_CONNECT_H

#include "lang/elab.h"

// Gives the inputs of connected ports what the others put out; behind the inputs' own values.
void connect_read(Elab *e);

#endif
