// The commands, each in a file of its name; diff stands in check.c. Only main.c, which has their table, knows all.
//
// parts: analyze.c animate.c cache.c check.c completion.c derive.c diagram.c equilibrium.c export.c fit.c import.c
// parts: linearize.c report.c run.c sensitivity.c sweep.c
#ifndef VIVA_CLI_VERBS_H
#define VIVA_CLI_VERBS_H

#include "cli/verb.h"

extern const Verb verb_analyze, verb_derive, verb_run, verb_check, verb_diff, verb_animate, verb_report, verb_export,
    verb_cache, verb_linearize, verb_equilibrium, verb_import, verb_sensitivity, verb_fit, verb_diagram,
    verb_completion, verb_sweep;

int export_dot(int argc, char **argv); // `viva export dot`, of diagram.c; argv[0] is `dot`

#endif
