// The evaluators of words.def: BLOCK (blocks.c, blocks_memory.c).
// parts: blocks_memory.c
#ifndef VIVA_LANG_BLOCKS_H
#define VIVA_LANG_BLOCKS_H

#include "lang/functions.h"

#define BLOCK(word, least, most, rule, picture, line) WordCall block_##word;
#include "lang/words.def"

#endif
