/* Vis Viva: the dynamics of physical systems.
 *
 * A model is read from text, and then asked: for its equations, for simulations. A loaded model never changes, so
 * threads may share it. No function prints, exits or keeps global state.
 *
 * Where memory is short, calls return VIVA_ENOMEM. One limit remains: FLINT and GMP (which prove identities), OpenBLAS
 * (matrices) and the loader of shared libraries end the process themselves when one of their own allocations fails.
 * What they need is asked for before they begin, and VIVA_ENOMEM is returned where it is not there; but memory that
 * others take between the question and the use is out of reach. Any call that reads or takes a model or an analysis may
 * use them: a program that must outlive every shortage makes these calls in a process of its own.
 *
 * A call that cannot be meant is VIVA_EUSAGE, never a crash: a NULL where none may be, a number that no enum has, a
 * list with holes. A model with errors is VIVA_EINPUT in every call that asks it for something; its diagnostics say
 * why. In both cases what the call would give is NULL. Questions to a handle that is NULL have an answer, too: NULL, 0,
 * NAN, "".
 *
 *     viva_model *model;
 *     if (viva_model_load("pendulum.viva", NULL, &model) == VIVA_OK) {
 *       char *text;
 *       if (viva_derive(model, NULL, &text) == VIVA_OK) puts(text);
 *       viva_text_free(text);
 *     }
 *     viva_model_free(model);
 *
 *   model.h      models: read from text, and asked for equations, decisions, linear models, equilibria and positions
 *   motion.h     simulation: runs, batches of them, forces for a given trajectory, sensitivities
 *   studies.h    studies: parameters from data, the choice of an experiment, sweeps
 *   pictures.h   pictures of what was found, and one page of all
 *   analysis.h   linear analysis of a path or a loop, and questions of design
 */
#ifndef VIVA_VIVA_H
#define VIVA_VIVA_H

#include "viva/analysis.h"
#include "viva/model.h"
#include "viva/motion.h"
#include "viva/pictures.h"
#include "viva/studies.h"

#endif
