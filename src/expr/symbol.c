// Names as mathematical symbols, by one rule for LaTeX and MathML.
//
//   th1        theta with index 1          omega_max  omega with index max       l[2]     l with index 2
//   m_dot      m with a dot above          mB, Jc     a letter and its index     psis     psi with index s
//   rod.x      x with index rod            length     a word, upright
#include "expr/print.h"

#include <string.h>

typedef struct Letter {
  const char *command, *sign;
} Letter;

static const Letter letters[] = {
    {"alpha", "α"}, {"beta", "β"}, {"gamma", "γ"}, {"delta", "δ"}, {"epsilon", "ϵ"}, {"varepsilon", "ε"}, {"zeta", "ζ"}, {"eta", "η"},
    {"theta", "θ"}, {"vartheta", "ϑ"}, {"iota", "ι"}, {"kappa", "κ"}, {"lambda", "λ"}, {"mu", "μ"}, {"nu", "ν"}, {"xi", "ξ"},
    {"pi", "π"}, {"rho", "ρ"}, {"sigma", "σ"}, {"tau", "τ"}, {"upsilon", "υ"}, {"phi", "ϕ"}, {"varphi", "φ"}, {"chi", "χ"},
    {"psi", "ψ"}, {"omega", "ω"}, {"Gamma", "Γ"}, {"Delta", "Δ"}, {"Theta", "Θ"}, {"Lambda", "Λ"}, {"Xi", "Ξ"}, {"Pi", "Π"},
    {"Sigma", "Σ"}, {"Phi", "Φ"}, {"Psi", "Ψ"}, {"Omega", "Ω"}, {"theta", "th"}};
enum { letter_count = sizeof letters / sizeof *letters };

static bool same(const char *word, const char *s, size_t n) { return strlen(word) == n && memcmp(word, s, n) == 0; }

// A Greek letter by its name, as itself, or by the short form `th`.
static const Letter *greek(const char *s, size_t n) {
  for (size_t i = 0; i < letter_count; i++) {
    if (same(letters[i].command, s, n) || same(letters[i].sign, s, n)) return i + 1 < letter_count ? &letters[i] : greek("theta", 5);
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
static const Accent accents[] = {
    {"_dot", "\\dot", "˙"}, {"_ddot", "\\ddot", "¨"}, {"_hat", "\\hat", "^"}, {"_bar", "\\bar", "¯"}, {"_tilde", "\\tilde", "~"}};
enum { accent_count = sizeof accents / sizeof *accents };

// What a name is made of: front.stem below
typedef struct Parts {
  const char *name;
  size_t front;     // length of the parts before the last dot
  size_t stem, end; // where the stem and the own name end
  const Accent *accent;
  bool theta; // `th` stands beside a theta: another letter
} Parts;

static size_t own_start(const Parts *p) { return p->front ? p->front + 1 : 0; }

static Parts split(const char *name) {
  Parts p = {.name = name, .end = strlen(name)};
  while (p.end > 0 && name[p.end - 1] == '\'') p.end--;
  for (size_t i = 0; i < p.end; i++) p.front = name[i] == '.' ? i : p.front;
  size_t start = own_start(&p), i = start;
  for (size_t k = 0; k < accent_count && !p.accent; k++) {
    size_t n = strlen(accents[k].ending);
    if (p.end > start + n && same(accents[k].ending, name + p.end - n, n)) {
      p.accent = &accents[k];
      p.end -= n;
    }
  }
  while (i < p.end && name[i] != '_' && name[i] != '[' && !(i > start && is_digit(name[i]))) i++;
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

// Words and numbers from s[from] to s[to], parted by commas.
static void put_below(const char *s, size_t from, size_t to, ExprFormat format, bool *first, Text *out) {
  while (from < to) {
    size_t i = from;
    if (strchr("_.,[] ", s[i])) {
      from++;
      continue;
    }
    bool digits = is_digit(s[i]);
    while (i < to && !strchr("_.,[] ", s[i]) && is_digit(s[i]) == digits) i++;
    // a comma between parts, none inside of one: l_rod1 is one word
    bool joined = from > 0 && !strchr("_.,[] ", s[from - 1]);
    if (!*first && !joined) text_put(out, format == format_latex ? "," : "<mo separator=\"true\">,</mo>");
    put_word(s + from, i - from, true, format, out);
    *first = false;
    from = i;
  }
}

static void put_accented(const Parts *p, const Accent *const *above, size_t count, ExprFormat format, Text *out) {
  size_t start = own_start(p);
  for (size_t i = count; i-- > 0;) {
    if (format == format_latex) text_printf(out, "%s{", above[i]->latex);
    else text_put(out, "<mover>");
  }
  if (p->theta) put_word("vartheta", 8, false, format, out);
  else put_word(p->name + start, p->stem - start, false, format, out);
  for (size_t i = 0; i < count; i++) {
    if (format == format_latex) text_putc(out, '}');
    else text_printf(out, "<mo stretchy=\"false\">%s</mo></mover>", above[i]->sign);
  }
}

static void put_parts(const Parts *p, uint32_t primes, ExprFormat format, Text *out) {
  const Accent *above[2];
  size_t count = 0;
  if (p->accent) above[count++] = p->accent;
  if (primes) above[count++] = &dots[primes > 3 ? 2 : primes - 1];
  bool below = p->stem < p->end || p->front > 0, first = true;
  if (below && format == format_mathml) text_put(out, "<msub>");
  put_accented(p, above, count, format, out);
  if (!below) return;
  text_put(out, format == format_latex ? "_{" : "<mrow>");
  put_below(p->name, 0, p->front, format, &first, out);
  // the part's index comes first; the index of the name starts anew after it
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
  Parts p = split(name);
  put_parts(&p, primes, format, out);
}

// Does the pool know `name` (its first n letters) as something of its own?
static bool taken(const ExprPool *pool, const char *name, size_t n) {
  for (SymbolId i = 1; i < pool->symbols.count; i++) {
    if (same(pool->symbols.items[i].name, name, n)) return true;
  }
  return false;
}

// Is there a theta written out?
static bool theta_written(const ExprPool *pool) {
  for (SymbolId i = 1; i < pool->symbols.count; i++) {
    if (strncmp(pool->symbols.items[i].name, "theta", 5) == 0) return true;
  }
  return false;
}

static Parts symbol_parts(const ExprPool *pool, const char *name) {
  Parts p = split(name);
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
  p.theta = n == 2 && memcmp(name + start, "th", 2) == 0 && theta_written(pool);
  return p;
}

void symbol_print(const ExprPool *pool, SymbolId id, ExprFormat format, Text *out) {
  const Symbol *s = pool_symbol_get(pool, id);
  if (format == format_text) {
    text_put(out, s->name);
    return;
  }
  Parts p = symbol_parts(pool, s->name);
  put_parts(&p, s->order, format, out);
}

bool symbol_is_word(const ExprPool *pool, SymbolId id) {
  Parts p = symbol_parts(pool, pool_symbol_get(pool, id)->name);
  size_t start = own_start(&p);
  return !p.theta && !greek(p.name + start, p.stem - start) && !single(p.name + start, p.stem - start);
}
