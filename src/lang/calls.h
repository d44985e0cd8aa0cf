// f(x), and what is called that way: words of the language and functions of the user.
#ifndef VIVA_LANG_CALLS_H
#define VIVA_LANG_CALLS_H

#include "lang/eval.h"

Value calls_eval(Elab *e, const Ast *a, const Binding *env);  // f(x), f'(x)
Value calls_apply(Elab *e, const Ast *a, const Binding *env); // inverse(f)(y), hip.f(x)

#endif
