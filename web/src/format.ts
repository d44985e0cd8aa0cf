// Numbers as text.

// For reading: six digits at most.
export function short(v: number | null | undefined): string {
  if (v === null || v === undefined || !isFinite(v)) return "–";
  return String(Number(v.toPrecision(6))).replace("-", "−").replace("e−", "e-").replace("e+", "e");
}

// A name as a field of a CSV file.
function field(name: string): string {
  return /[",\n\r]/.test(name) ? `"${name.replace(/"/g, '""')}"` : name;
}

// The shortest text that reads back to the same double is what String gives; nan and inf as the program writes them.
function exact(v: number): string {
  if (Number.isNaN(v)) return "nan";
  if (!isFinite(v)) return v > 0 ? "inf" : "-inf";
  return Object.is(v, -0) ? "-0" : String(v);
}

export function csv(names: string[], columns: ArrayLike<number>[]): string {
  const rows = columns.length ? Math.min(...columns.map((c) => c.length)) : 0;
  const lines = new Array<string>(rows + 1);
  lines[0] = names.map(field).join(",");
  for (let i = 0; i < rows; i++) {
    let line = "";
    for (let k = 0; k < columns.length; k++) line += (k ? "," : "") + exact(columns[k]![i]!);
    lines[i + 1] = line;
  }
  return lines.join("\n") + "\n";
}
