// Transfer functions in symbols and input-output equations as text, LaTeX, MathML or JSON.
#ifndef VIVA_SHOW_TRANSFER_H
#define VIVA_SHOW_TRANSFER_H

#include "control/transfer.h"
#include "linear/linearize.h"
#include "show/derivation.h"

typedef struct TransferPath {
  const char *input, *output;
  Transfer transfer;
} TransferPath;
typedef VEC(TransferPath) TransferPaths;

void show_transfer(const Linearization *l, const TransferPaths *paths, ShowFormat format, Text *out);

#endif
