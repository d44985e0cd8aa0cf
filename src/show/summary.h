// The summary of a run, as text or JSON.
#ifndef VIVA_SHOW_SUMMARY_H
#define VIVA_SHOW_SUMMARY_H

#include "base/text.h"
#include "sim/run.h"

void show_run_text(const RunResult *r, const char *title, Text *out);
void show_run_json(const RunResult *r, const char *title, Text *out);

#endif
