// What jobs of linear analysis share.
// parts: pipeline.c locus.c
#ifndef VIVA_API_PIPELINE_PARTS_H
#define VIVA_API_PIPELINE_PARTS_H

#include "api/pipeline.h"

// What is free, as it is called: the name of an input that is cut, a text that is watched.
typedef struct FreedTexts {
  const char *cut, *watch, *name; // NULL: none
} FreedTexts;

// The linear model with delays, samples and a cut set free.
LinearizeStatus pipeline_linearize_with(Arena *arena, LinearizeJob *r, const FreedTexts *texts);
AnalysisStatus pipeline_refuse(AnalyzeJob *r, const char *message, const char *hint);
uint32_t pipeline_param(const System *s, const char *name); // a parameter, by its name; no_place: there is none

#endif
