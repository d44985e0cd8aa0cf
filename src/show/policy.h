// Content Security Policy of a page: it runs only the scripts that it was written with, and fetches nothing.
#ifndef VIVA_SHOW_POLICY_H
#define VIVA_SHOW_POLICY_H

#include "base/text.h"

// The text between <script> and </script>, known to the browser by its hash.
typedef struct PolicyScript {
  const char *text;
  size_t length;
} PolicyScript;

// The <meta> element of its Content-Security-Policy. Empty scripts are none.
void policy_put(Text *out, const PolicyScript *scripts, size_t count);

#endif
