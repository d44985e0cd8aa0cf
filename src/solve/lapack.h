// The memory budget of OpenBLAS: buffers of LAPACK calls, in the module (solve/module.h).
//
// OpenBLAS takes a buffer of 128 MB for each call that is on its way, and one for each thread of its own when it is
// loaded; it keeps them for later calls. Where it gets none it reports nothing: it asks again without end. So it is
// asked for first. The module is loaded only where there is enough memory for its threads (module.c); then the first
// buffer is taken, and waited for until its threads have theirs. A further one is taken only where there is memory for
// it, and a call that has none waits until another one is over.
#ifndef VIVA_SOLVE_LAPACK_H
#define VIVA_SOLVE_LAPACK_H

#include <stdbool.h>

// Is there a buffer? The first call takes one. False: there is no room for it.
bool lapack_ready(void);

// Around each call. What `enter` gives is for `leave`.
bool lapack_enter(void);
void lapack_leave(bool grew);

#endif
