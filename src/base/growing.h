// A text file that grows line by line over hours, and that a later program goes on with.
//
// It is written in its place, not beside it: what is in it stays, whatever ends the program. While it is open it is
// locked, so that no second program writes it. Where it was cut off inside a line, by a kill or a full disk, the part
// is taken away.
#ifndef VIVA_BASE_GROWING_H
#define VIVA_BASE_GROWING_H

#include <stdbool.h>
#include <stddef.h>

typedef struct Growing Growing;

// Opens, or makes it. NULL: *error is errno; EWOULDBLOCK: another program writes it. "-" is standard output.
Growing *growing_open(const char *path, int *error);
// The next whole line of what is there already, without its end; NULL: there is none. Borrowed until the next call.
const char *growing_line(Growing *g, size_t *length);
// From here on: what is behind the last line that was read goes. 0 or errno.
int growing_append(Growing *g);
int growing_clear(Growing *g); // all that is there goes. 0 or errno
// Text that ends in a line's end. Goes to the system by and by, at least every second. False: growing_error says why,
// and the file ends with a whole line.
bool growing_write(Growing *g, const char *text, size_t length);
int growing_error(const Growing *g);
int growing_close(Growing *g); // 0 or errno; NULL is fine

#endif
