// What stands behind viva_ranks.
#ifndef VIVA_API_RANKS_H
#define VIVA_API_RANKS_H

#include "base/ranks.h"
#include "viva/viva.h"

const Ranks *ranks_take(viva_ranks *ranks); // for work to be shared; NULL: this process is alone
unsigned ranks_threads(const Ranks *ranks); // the share of the processors of this machine that each process has

#endif
