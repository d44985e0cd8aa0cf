// A scene in space for the script of pages, which rotates it (web/src/space.ts): as part of a JSON text.
//
// {"frames", "fine", "from", "to", "speed", "unit", "size", "middle": [x, y, z], "half",
//  "camera": {"from": [..], "up": [..]}, "ground": {"origin": [..], "u": [..], "v": [..], "step", "across", "along"},
//  "shapes": [{"kind", "points", "data": base64 of int16, "turn": base64 of int16, "axes": [9], "half": [3]}]}
//
// A position is middle + half*data/32767, three numbers a point, frame by frame; a shape that rests has one frame. The
// second point of a vector is a part of the longest one. "turn" is a unit quaternion w x y z, each times 32767.
#ifndef VIVA_SHOW_SPACE_DATA_H
#define VIVA_SHOW_SPACE_DATA_H

#include "show/json.h"
#include "show/scene.h"

void space_data_write(const Scene *s, double speed, const char *key, Json *j);

#endif
