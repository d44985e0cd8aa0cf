// Names as mathematical symbols, by one rule for LaTeX and MathML.
//
//   th1        theta with index 1          omega_max  omega with index max       l[2]     l with index 2
//   m_dot      m with a dot above          mB, Jc     a letter and its index     psis     psi with index s
//   rod.x      x with index rod            length     a word, upright              y.latch.2  latch with index y, 2
//   lambda.rod, hip.lambda.rod: multipliers, lambda with index rod; hip, rod
//
// Different names look different. The look of a name comes from these rules; where an earlier name has that look
// already, the name is written out, upright: x1_ beside x1, x_1 beside both. Looks are found once a pool, in tables by
// name and look.
#include "expr/print.h"

#include <string.h>

typedef struct Letter {
  const char *command, *sign;
} Letter;

static const Letter letters[] = {
    {"alpha", "α"},  {"beta", "β"},  {"gamma", "γ"},   {"delta", "δ"},    {"epsilon", "ϵ"}, {"varepsilon", "ε"},
    {"zeta", "ζ"},   {"eta", "η"},   {"theta", "θ"},   {"vartheta", "ϑ"}, {"iota", "ι"},    {"kappa", "κ"},
    {"lambda", "λ"}, {"mu", "μ"},    {"nu", "ν"},      {"xi", "ξ"},       {"pi", "π"},      {"rho", "ρ"},
    {"sigma", "σ"},  {"tau", "τ"},   {"upsilon", "υ"}, {"phi", "ϕ"},      {"varphi", "φ"},  {"chi", "χ"},
    {"psi", "ψ"},    {"omega", "ω"}, {"Gamma", "Γ"},   {"Delta", "Δ"},    {"Theta", "Θ"},   {"Lambda", "Λ"},
    {"Xi", "Ξ"},     {"Pi", "Π"},    {"Sigma", "Σ"},   {"Phi", "Φ"},      {"Psi", "Ψ"},     {"Omega", "Ω"},
    {"theta", "th"}};
enum { letter_count = sizeof letters / sizeof *letters };

static bool same(const char *word, const char *s, size_t n) { return strlen(word) == n && memcmp(word, s, n) == 0; }

// A Greek letter by its name, as itself, or by the short form `th`.
static const Letter *greek(const char *s, size_t n) {
  for (size_t i = 0; i < letter_count; i++) {
    if (same(letters[i].command, s, n) || same(letters[i].sign, s, n))
      return i + 1 < letter_count ? &letters[i] : greek("theta", 5);
  }
  return NULL;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }
static bool is_letter(char c) { return is_capital(c) || (c >= 'a' && c <= 'z'); }

// Above a letter: the dots of derivatives, or what the end of a name says.
typedef struct Accent {
  const char *ending, *latex, *sign;
} Accent;

static const Accent dots[] = {{"", "\\dot", "˙"}, {"", "\\ddot", "¨"}, {"", "\\dddot", "⋯"}};
static const Accent accents[] = {{"_dot", "\\dot", "˙"},
                                 {"_ddot", "\\ddot", "¨"},
                                 {"_hat", "\\hat", "^"},
                                 {"_bar", "\\bar", "¯"},
                                 {"_tilde", "\\tilde", "~"}};
enum { accent_count = sizeof accents / sizeof *accents };

// What a name is made of: front.stem below
typedef struct NameParts {
  const char *name;
  size_t front;     // length of the parts before the last dot
  size_t stem, end; // where the stem and the own name end
  const Accent *accent;
  bool theta; // `th` stands beside a theta: another letter
} NameParts;

static size_t own_start(const NameParts *p) { return p->front ? p->front + 1 : 0; }

// lambda.NAME, alone or of a part: the letter is lambda, and the name of the constraint stands below.
static bool split_multiplier(NameParts *p) {
  static const char word[] = "lambda.";
  for (const char *at = p->name; at; at = strchr(at, '.')) {
    at += *at == '.';
    if (strncmp(at, word, sizeof word - 1) != 0) continue;
    p->front = at > p->name ? (size_t)(at - p->name) - 1 : 0;
    p->stem = (size_t)(at - p->name) + sizeof word - 2;
    return true;
  }
  return false;
}

static NameParts split(const char *name) {
  NameParts p = {.name = name, .end = strlen(name)};
  while (p.end > 0 && name[p.end - 1] == '\'') p.end--;
  if (split_multiplier(&p)) return p;
  // the number of a block belongs to its word: y.latch.2
  for (size_t i = 0; i < p.end; i++) p.front = name[i] == '.' && i + 1 < p.end && !is_digit(name[i + 1]) ? i : p.front;
  size_t start = own_start(&p), i = start;
  for (size_t k = 0; k < accent_count && !p.accent; k++) {
    size_t n = strlen(accents[k].ending);
    if (p.end > start + n && same(accents[k].ending, name + p.end - n, n)) {
      p.accent = &accents[k];
      p.end -= n;
    }
  }
  while (i < p.end && name[i] != '_' && name[i] != '[' && name[i] != '.' && !(i > start && is_digit(name[i]))) i++;
  p.stem = i;
  // a letter and its index: mB, Jc, tauM, psis; a Greek name alone stays
  size_t n = i - start, least = 3;
  if (greek(name + start, n)) return p;
  if (n == 2 && is_letter(name[start]) && is_letter(name[start + 1])) p.stem = start + 1;
  for (size_t k = n; k-- > 2 && p.stem == i;) {
    bool rest = n - k == 1 ? is_capital(name[start + k]) || k >= least : is_capital(name[start + k]);
    if (rest && greek(name + start, k)) p.stem = start + k;
  }
  return p;
}

// ---- writing

static void put_escaped(const char *s, size_t n, ExprFormat format, Text *out) {
  for (size_t i = 0; i < n; i++) {
    if (format == format_mathml && s[i] == '<') text_put(out, "&lt;");
    else if (format == format_mathml && s[i] == '&') text_put(out, "&amp;");
    else if (format == format_latex && s[i] == '_') text_put(out, "\\_");
    else text_putc(out, s[i]);
  }
}

static bool single(const char *s, size_t n) {
  uint32_t code;
  return utf8_decode(s, n, &code) == n;
}

// A letter or word; upright: what stands below.
static void put_word(const char *s, size_t n, bool upright, ExprFormat format, Text *out) {
  const Letter *letter = greek(s, n);
  bool number = n > 0;
  for (size_t i = 0; i < n; i++) number = number && is_digit(s[i]);
  if (format == format_latex) {
    if (letter) text_printf(out, "\\%s", letter->command);
    else if (number || (n == 1 && !upright)) text_putn(out, s, n);
    else {
      bool plain = true;
      for (size_t i = 0; i < n; i++) plain = plain && (unsigned char)s[i] < 0x80;
      text_put(out, plain ? "\\mathrm{" : "\\text{");
      put_escaped(s, n, format, out);
      text_putc(out, '}');
    }
    return;
  }
  text_put(out, number ? "<mn>" : upright && !letter && single(s, n) ? "<mi mathvariant=\"normal\">" : "<mi>");
  if (letter) text_put(out, letter->sign);
  else put_escaped(s, n, format, out);
  text_put(out, number ? "</mn>" : "</mi>");
}

// Words and numbers from s[from] to s[to], parted by commas. The letter of a general index, T[i], is a variable.
static void put_below(const char *s, size_t from, size_t to, ExprFormat format, bool *first, Text *out) {
  bool inside = false; // of brackets
  while (from < to) {
    size_t i = from;
    if (strchr("_.,[] ", s[i])) {
      inside = s[i] == '[' || (inside && s[i] != ']');
      from++;
      continue;
    }
    if (s[i] == '+' || s[i] == '-') { // of a general index: i+1
      text_put(out, format == format_latex ? (s[i] == '+' ? "+" : "-") : s[i] == '+' ? "<mo>+</mo>" : "<mo>−</mo>");
      from++;
      continue;
    }
    bool digits = is_digit(s[i]);
    while (i < to && !strchr("_.,[]+- ", s[i]) && is_digit(s[i]) == digits) i++;
    // a comma between parts, none inside of one: l_rod1 is one word
    bool joined = from > 0 && !strchr("_.,[] ", s[from - 1]);
    if (!*first && !joined) text_put(out, format == format_latex ? "," : "<mo separator=\"true\">,</mo>");
    put_word(s + from, i - from, !inside, format, out);
    *first = false;
    from = i;
  }
}

// The blank below keeps a dot from touching its letter.
#define accent_above "<mo stretchy=\"false\" style=\"padding-bottom:.12em\">%s</mo></mover>"

static void put_accented(const NameParts *p, const Accent *const *above, size_t count, ExprFormat format, Text *out) {
  size_t start = own_start(p);
  for (size_t i = count; i-- > 0;) {
    if (format == format_latex) text_printf(out, "%s{", above[i]->latex);
    else text_put(out, "<mover accent=\"true\">");
  }
  if (p->theta) put_word("vartheta", 8, false, format, out);
  else put_word(p->name + start, p->stem - start, false, format, out);
  for (size_t i = 0; i < count; i++) {
    if (format == format_latex) text_putc(out, '}');
    else text_printf(out, accent_above, above[i]->sign);
  }
}

// Above three dots nobody counts them: x with (4) above.
enum { most_dots = 3 };

static void order_open(uint32_t primes, ExprFormat format, Text *out) {
  if (primes > most_dots) text_put(out, format == format_latex ? "{" : "<msup><mrow>");
}
static void order_close(uint32_t primes, ExprFormat format, Text *out) {
  static const char mathml[] = "</mrow><mrow><mo>(</mo><mn>%u</mn><mo>)</mo></mrow></msup>";
  if (primes <= most_dots) return;
  if (format == format_latex) text_printf(out, "^{(%u)}}", primes);
  else text_printf(out, mathml, primes);
}

static void put_parts(const NameParts *p, uint32_t primes, ExprFormat format, Text *out) {
  const Accent *above[2];
  size_t count = 0;
  if (p->accent) above[count++] = p->accent;
  if (primes && primes <= most_dots) above[count++] = &dots[primes - 1];
  bool below = p->stem < p->end || p->front > 0, first = true;
  if (below && format == format_mathml) text_put(out, "<msub>");
  put_accented(p, above, count, format, out);
  if (!below) return;
  text_put(out, format == format_latex ? "_{" : "<mrow>");
  put_below(p->name, 0, p->front, format, &first, out);
  // the part's index comes first; the index of the name follows it
  if (p->stem < p->end && !first) text_put(out, format == format_latex ? "," : "<mo separator=\"true\">,</mo>");
  first = true;
  size_t own = p->stem;
  put_below(p->name + own, 0, p->end - own, format, &first, out);
  text_put(out, format == format_latex ? "}" : "</mrow></msub>");
}

void name_print(const char *name, uint32_t primes, ExprFormat format, Text *out) {
  if (format == format_text) {
    text_put(out, name);
    return;
  }
  NameParts p = split(name);
  order_open(primes, format, out);
  put_parts(&p, primes, format, out);
  order_close(primes, format, out);
}

// ---- names of a pool, apart from each other

typedef enum Look {
  look_none,
  look_rule,    // as the rules say
  look_written, // as it is written
  look_numbered // as the rules say, and a number
} Look;

typedef struct SymbolLooks {
  uint32_t seen;      // symbols that have a look
  VEC(uint32_t) look; // of each symbol; from look_numbered on: with the number look - look_numbered + 2
  SymbolId *names;    // open addressing, by name; 0: free
  uint64_t *shapes;   // open addressing, by what is printed; 0: free
  SymbolId *owner;    // of the shapes
  uint32_t size, name_count, shape_count;
  bool theta; // there is a theta written out
} SymbolLooks;

static uint64_t hash_of(const char *s, size_t n) {
  uint64_t h = 1469598103934665603u; // FNV-1a
  for (size_t i = 0; i < n; i++) h = (h ^ (unsigned char)s[i]) * 1099511628211u;
  return h ? h : 1;
}

static size_t base_length(const char *name) {
  size_t n = strlen(name);
  while (n > 0 && name[n - 1] == '\'') n--;
  return n;
}

static uint32_t name_place(const ExprPool *pool, const SymbolLooks *l, const char *name, size_t n) {
  uint32_t i = (uint32_t)hash_of(name, n) & (l->size - 1);
  while (l->names[i] && !same(pool->symbols.items[l->names[i]].name, name, n)) i = (i + 1) & (l->size - 1);
  return i;
}

// The symbol with this name (its first n letters); 0: none.
static SymbolId taken(const ExprPool *pool, const char *name, size_t n) {
  return pool->looks->names[name_place(pool, pool->looks, name, n)];
}

static NameParts symbol_parts(const ExprPool *pool, const char *name) {
  NameParts p = split(name);
  if (!pool->looks) return p;
  size_t start = own_start(&p), n = p.stem - start;
  // two names must not look alike: m_dot beside m, mp beside m_p
  if (p.accent && taken(pool, name, p.end)) {
    p.end += strlen(p.accent->ending);
    p.accent = NULL;
  }
  if (p.stem < p.end && is_letter(name[p.stem])) {
    char other[256];
    size_t length = p.end + 1;
    if (length < sizeof other) {
      memcpy(other, name, p.stem);
      other[p.stem] = '_';
      memcpy(other + p.stem + 1, name + p.stem, p.end - p.stem);
      if (taken(pool, other, length)) {
        while (p.stem < p.end && is_letter(name[p.stem])) p.stem++;
      }
    }
  }
  p.theta = n == 2 && memcmp(name + start, "th", 2) == 0 && pool->looks->theta;
  return p;
}

static bool is_ascii(const char *s, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if ((unsigned char)s[i] >= 0x80) return false;
  }
  return true;
}

// A name with a look; primes: how many dots.
static void put_look(const ExprPool *pool, const char *name, uint32_t look, uint32_t primes, ExprFormat format,
                     Text *out) {
  if (look == look_written) {
    const Accent *dot = primes && primes <= most_dots ? &dots[primes - 1] : NULL;
    if (dot && format == format_latex) text_printf(out, "%s{", dot->latex);
    if (dot && format == format_mathml) text_put(out, "<mover accent=\"true\">");
    const char *mathml = base_length(name) == 1 ? "<mi mathvariant=\"normal\">" : "<mi>";
    text_put(out, format == format_latex ? "\\mathrm{" : mathml);
    put_escaped(name, base_length(name), format, out);
    text_put(out, format == format_latex ? "}" : "</mi>");
    if (dot && format == format_latex) text_putc(out, '}');
    if (dot && format == format_mathml) text_printf(out, accent_above, dot->sign);
    return;
  }
  NameParts p = symbol_parts(pool, name);
  bool numbered = look >= look_numbered;
  if (numbered && format == format_mathml) text_put(out, "<msub>");
  if (numbered && format == format_latex) text_putc(out, '{');
  put_parts(&p, primes, format, out);
  uint32_t number = look - look_numbered + 2;
  if (numbered && format == format_latex) text_printf(out, "}_{[%u]}", number);
  if (numbered && format == format_mathml)
    text_printf(out, "<mrow><mo>[</mo><mn>%u</mn><mo>]</mo></mrow></msub>", number);
}

static uint32_t shape_place(const SymbolLooks *l, uint64_t shape) {
  uint32_t i = (uint32_t)shape & (l->size - 1);
  while (l->shapes[i] && l->shapes[i] != shape) i = (i + 1) & (l->size - 1);
  return i;
}

// The tables have room for three shapes a symbol, and stay at most half full.
static bool grow_tables(ExprPool *pool, SymbolLooks *l) {
  uint32_t size = 64;
  while (size < 8 * (uint64_t)pool->symbols.count) size *= 2;
  if (size <= l->size) return true;
  SymbolLooks old = *l;
  l->size = size;
  l->names = arena_array(pool->arena, size, sizeof *l->names);
  l->shapes = arena_array(pool->arena, size, sizeof *l->shapes);
  l->owner = arena_array(pool->arena, size, sizeof *l->owner);
  if (!l->names || !l->shapes || !l->owner) return false;
  memset(l->names, 0, size * sizeof *l->names);
  memset(l->shapes, 0, size * sizeof *l->shapes);
  for (uint32_t i = 0; i < old.size; i++) {
    SymbolId s = old.names[i];
    if (s) l->names[name_place(pool, l, pool->symbols.items[s].name, strlen(pool->symbols.items[s].name))] = s;
    if (!old.shapes[i]) continue;
    uint32_t at = shape_place(l, old.shapes[i]);
    l->shapes[at] = old.shapes[i];
    l->owner[at] = old.owner[i];
  }
  return true;
}

// Is the look free, with as many dots as the symbol may get? keep: it is taken.
static bool look_free(ExprPool *pool, SymbolId id, uint32_t look, bool keep) {
  SymbolLooks *l = pool->looks;
  const Symbol *s = &pool->symbols.items[id];
  bool moves = s->kind == sym_coord || s->kind == sym_state || s->kind == sym_input;
  for (uint32_t dots_above = 0; dots_above <= (moves ? 2u : 0u); dots_above++) {
    ArenaMark mark = arena_mark(pool->scratch);
    Text t = text_in(pool->scratch);
    put_look(pool, s->name, look, dots_above, format_latex, &t);
    uint64_t shape = hash_of(text_str(&t), t.length);
    arena_release(pool->scratch, mark);
    uint32_t at = shape_place(l, shape);
    if (l->shapes[at]) {
      const char *owner = pool->symbols.items[l->owner[at]].name;
      size_t n = base_length(s->name);
      if (base_length(owner) != n || memcmp(owner, s->name, n) != 0) return false;
    } else if (keep) {
      l->shapes[at] = shape;
      l->owner[at] = id;
    }
  }
  return true;
}

static void find_look(ExprPool *pool, SymbolId id) {
  SymbolLooks *l = pool->looks;
  const char *name = pool->symbols.items[id].name;
  size_t n = base_length(name);
  SymbolId base = n < strlen(name) ? taken(pool, name, n) : 0;
  uint32_t look = look_rule;
  if (base && base < id) {
    l->look.items[id] = l->look.items[base]; // x' looks as x does
    return;
  }
  if (!look_free(pool, id, look, false)) {
    look = is_ascii(name, n) ? look_written : look_numbered;
    while (look >= look_numbered && !look_free(pool, id, look, false)) look++;
  }
  look_free(pool, id, look, true);
  l->look.items[id] = look;
}

// Looks for all symbols of the pool; false: out of memory.
static bool find_looks(ExprPool *pool) {
  if (!pool->looks) pool->looks = arena_new_of(pool->arena, SymbolLooks);
  SymbolLooks *l = pool->looks;
  if (!l) return false;
  uint32_t count = pool->symbols.count, from = l->seen ? l->seen : 1;
  if (l->seen == count) return true;
  bool room = grow_tables(pool, l);
  while (room && l->look.count < count) room = vec_push(pool->arena, &l->look, look_rule);
  if (!room) {
    pool->looks = NULL; // half of it is of no use
    return false;
  }
  for (SymbolId i = from; i < count; i++) {
    const char *name = pool->symbols.items[i].name;
    uint32_t at = name_place(pool, l, name, strlen(name));
    if (!l->names[at]) l->names[at] = i;
    l->theta = l->theta || strncmp(name, "theta", 5) == 0;
  }
  for (SymbolId i = from; i < count; i++) find_look(pool, i);
  l->seen = count;
  return true;
}

void symbol_print(ExprPool *pool, SymbolId id, ExprFormat format, Text *out) {
  const Symbol *s = pool_symbol_get(pool, id);
  if (format == format_text) {
    text_put(out, s->name);
    return;
  }
  uint32_t look = find_looks(pool) ? pool->looks->look.items[id] : look_rule;
  order_open(s->order, format, out);
  put_look(pool, s->name, look, s->order, format, out);
  order_close(s->order, format, out);
}

bool symbol_is_word(ExprPool *pool, SymbolId id) {
  if (find_looks(pool) && pool->looks->look.items[id] == look_written) return true;
  NameParts p = symbol_parts(pool, pool_symbol_get(pool, id)->name);
  size_t start = own_start(&p);
  return !p.theta && !greek(p.name + start, p.stem - start) && !single(p.name + start, p.stem - start);
}
