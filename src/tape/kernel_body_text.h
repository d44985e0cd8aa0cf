// What the texts of integrals and inverses share. No include guard: this is a template.
/* section body */
static viva_real viva_abs(viva_real a) { return a < 0 ? -a : a; }

/* The body of an integral or inverse, with its workspace: its value at s, and what else it gives (of an inverse its
 * derivative). */
typedef viva_real viva_body(const void *self, viva_real *w, viva_real s, viva_real *more);
