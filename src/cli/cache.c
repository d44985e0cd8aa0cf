#include "cli/cli.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static int cache_main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "--help") == 0) {
    puts("usage: viva cache clear\n\nremoves the compiled code that runs have kept in $XDG_CACHE_HOME/viva or ~/.cache/viva");
    return finish_output();
  }
  if (argc != 2 || strcmp(argv[1], "clear") != 0) {
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

const Verb verb_cache = {"cache", "viva cache clear", "removes kept compiled code", cache_main, 0};
