// Sections of a page that stand on other parts of the public interface.
// parts: report.c report_settings.c report_fit.c report_linear.c report_path.c report_sweep.c report_statics.c
// parts: report_structure.c linearize.c
#ifndef VIVA_API_REPORT_PARTS_H
#define VIVA_API_REPORT_PARTS_H

#include "base/text.h"
#include "linear/linearize.h"
#include "viva/viva.h"

// The options of the command line that change the model, as a shell reads them, with a blank before each:
// " --case stiff --set k=2"; nothing where there are none.
void report_settings(const viva_model *model, Text *out);
// "The other sections have the values of the model's text", and what was changed.
void report_whose_values(const viva_model *model, Text *out);

// What stands behind a handle: NULL where there is no linear model.
// The reason: why not, in words without a span; NULL.
const Linearization *linearization_get(const viva_linearization *l);
const char *linearization_reason(const viva_linearization *l);
// A picture for a page that has several: `id` goes before the ids inside. As viva_linearization_draw.
viva_status linearization_svg(const viva_linearization *l, viva_linear_figure figure, const char *id, Text *out);

// The linear model at the equilibrium nearest to the start, or one sentence why there is none; nothing for a model that
// does not move. VIVA_OK, VIVA_EINTERRUPTED (with a sentence) or VIVA_ENOMEM.
viva_status report_linear(const viva_model *model, const viva_report_options *options, Text *out);
// The path or loop that is asked for; of a model with one input and one output its path, if it can be analysed, else
// nothing. VIVA_EINPUT, VIVA_EFAIL: what is asked for cannot be had, *message says why, in the arena of the text.
viva_status report_path(const viva_model *model, const viva_report_options *options, Text *out, const char **message);

// The fit of a model whose `fit` lines have data; else nothing. *message: what there is to say of it, in the arena of
// the text; NULL: nothing. VIVA_OK, VIVA_EFAIL and VIVA_EINTERRUPTED (with a sentence) or VIVA_ENOMEM.
viva_status report_fit(const viva_model *model, const viva_report_options *options, Text *out, const char **message);

// The port-Hamiltonian form of a model that has energies with structure or ports, its power balance and its verdict;
// nothing for others. clone: a copy of its system. False: out of memory.
bool report_has_structure(const System *s);
bool report_structure(System *clone, Text *out);

// Many runs of the model: failures, statistics, indices, pictures. VIVA_EINPUT: they are of another model, see
// *message, in the arena of the text.
viva_status report_sweep(const viva_model *model, const viva_sweep *sweep, Text *out, const char **message);

// Of a model without any mass, instead of a run: insides of sections, empty where there is nothing to say.
typedef struct StaticsSections {
  Text rest, forces, iterations;
} StaticsSections;
// *message: what there is to say of it; NULL: nothing. As viva_equilibrium_find.
viva_status report_statics(const viva_model *model, const viva_report_options *options, StaticsSections *out,
                           const char **message);

#endif
