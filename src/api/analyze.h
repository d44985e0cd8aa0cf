// What stands behind a viva_analysis, for those who ask further questions of it.
#ifndef VIVA_API_ANALYZE_H
#define VIVA_API_ANALYZE_H

#include "api/handles.h"

const Analysis *analysis_get(const viva_analysis *analysis); // NULL: it failed

#endif
