// What a page may do: run the one script that it was written with, and nothing else; fetch nothing from anywhere.
#ifndef VIVA_SHOW_POLICY_H
#define VIVA_SHOW_POLICY_H

#include "base/text.h"

// The <meta> element of its Content-Security-Policy. script: the text between <script> and </script>, known to the
// browser by its hash; NULL: the page has none.
void policy_put(Text *out, const char *script, size_t length);

#endif
