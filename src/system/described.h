// What a model describes, as one value that a language hands over. The fields stand in described.def.
#ifndef VIVA_SYSTEM_DESCRIBED_H
#define VIVA_SYSTEM_DESCRIBED_H

#include "system/constraint.h"
#include "system/drive.h"
#include "system/events.h"
#include "system/fitting.h"
#include "system/linkage.h"
#include "system/ports.h"
#include "system/tree.h"
#include "system/views.h"

typedef struct SystemDescribed {
#include "system/described.def"
} SystemDescribed;

#endif
