// viva cache clear: removes the compiled code that runs have kept.
#include "cli/message.h"
#include "cli/options.h"
#include "cli/verbs.h"
#include "viva/viva.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static int cache_main(int argc, char **argv) {
  const char *what;
  int read = read_options(&verb_cache, NULL, 0, argc, argv, &what);
  if (read >= 0) return read;
  if (strcmp(what, "clear") != 0) {
    complain("the cache can be cleared: `viva cache clear`");
    return exit_input;
  }
  uint64_t files, bytes;
  viva_status status = viva_cache_clear(&files, &bytes);
  printf("removed %" PRIu64 " files, %" PRIu64 " bytes\n", files, bytes);
  int flushed = finish_output();
  if (status == VIVA_OK) return flushed;
  complain("some files of the cache cannot be removed");
  return exit_failed;
}

const Verb verb_cache = {
    .name = "cache",
    .usage = "viva cache clear",
    .about = "removes the compiled code that runs have kept in $XDG_CACHE_HOME/viva or ~/.cache/viva",
    .main = cache_main,
    .files = 1,
    .words = "clear",
};
