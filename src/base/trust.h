// Whom code may be loaded from: folders that nobody but us and the system can change, and where this code itself lies.
#ifndef VIVA_BASE_TRUST_H
#define VIVA_BASE_TRUST_H

#include <stdbool.h>
#include <stddef.h>

// Opens a folder if it and all folders above it belong to us or to the system, and nobody else may write there (a
// folder with the sticky bit, as /tmp, may stand above it). While the descriptor is open, names in it are what they
// were. -1: no.
int trust_open(const char *path);
// The same for a folder of our own: it must be ours, and no other may write there. Its mode stays: it may be a folder
// of the user behind a link.
int trust_open_own(const char *path);

// The absolute path of the file that holds the code at an address; false: not known. *program: it is the program
// itself, not a library.
bool trust_home(const void *address, char *path, size_t size, bool *program);

// A file that belongs to this library: in the folder of the library (or viva/ there, or the programs' folder that goes
// with it), in viva/ beside a program that holds the library, or where it was to be installed. Never in the current
// folder.
bool trust_find(const char *name, char *path, size_t size);

#endif
