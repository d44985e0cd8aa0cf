// What drives a mechanism from position to position: something that takes given values, one after the other.
#ifndef VIVA_SYSTEM_DRIVE_H
#define VIVA_SYSTEM_DRIVE_H

#include "system/quantity.h"

typedef struct SystemDrive {
  const char *name; // as written
  ExprId value;     // what is driven: an expression of positions, a parameter or the time
  ExprId from, to;  // of parameters
  ExprId time;      // how long it takes, at constant speed; 0: not said
  uint32_t steps;
  const char *si; // the unit of the value, see SystemOutput
  Span span, target, range;
} SystemDrive;
typedef VEC(SystemDrive) SystemDriveList;

#endif
