// A text file that grows line by line over hours, and that a later program goes on with.
//
// It is written in place, not as a new file beside it: what is in it stays, whatever ends the program. While it is open
// it is locked, so that no second program writes it. Where it was cut off inside a line, by a kill or a full disk, the
// part is taken away.
#ifndef VIVA_BASE_GROWING_H
#define VIVA_BASE_GROWING_H

#include <stdbool.h>
#include <stddef.h>

typedef struct Growing Growing;

// Opens, or makes it. NULL: *error is errno; EWOULDBLOCK: another program writes it. Standard output and other open
// descriptors are written as they are (outfile_descriptor). A file that was made and stays empty is taken away again.
Growing *growing_open(const char *path, int *error);
// The same for a name beside a table that stays until this file is complete: no link is followed.
Growing *growing_open_part(const char *path, int *error);
bool growing_is_empty(const Growing *g); // also of what is no file
// The next whole line of what is there already, without its end; NULL: there is none, or it is longer than 64 MB.
// Borrowed until the next call.
const char *growing_line(Growing *g, size_t *length);
// From here on: what is behind the last line that was read goes. 0 or errno.
int growing_append(Growing *g);
int growing_clear(Growing *g); // all that is there goes. 0 or errno
// Text that ends in a line's end. Goes to the system by and by, at least every second. False: growing_error says why,
// and the file ends with a whole line.
bool growing_write(Growing *g, const char *text, size_t length);
int growing_error(const Growing *g);
int growing_close(Growing *g); // 0 or errno; NULL is fine
// Closes a part, and gives it the name of a table in one moment; an existing file keeps its mode. 0 or errno.
int growing_replace(Growing *part, const char *path);

#endif
