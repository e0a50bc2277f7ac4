/** Parses CSV (RFC 4180). An empty field without quotes is null. */

export type CsvField = string | null;

/** Throws if quotes or line ends are wrong. */
export function parseCsv(text: string): readonly (readonly CsvField[])[] {
  const lines: CsvField[][] = [];
  let fields: CsvField[] = [];
  let at = 0;
  while (at < text.length) {
    const { field, end } = text[at] === '"' ? quotedField(text, at) : bareField(text, at);
    fields.push(field);
    at = end;
    if (text[at] === ',') {
      at += 1;
      // A line may end with an empty field.
      if (text.startsWith('\r\n', at)) fields.push(null);
      else continue;
    }
    if (!text.startsWith('\r\n', at)) throw new Error(`expected the end of a line at ${at}`);
    at += 2;
    lines.push(fields);
    fields = [];
  }
  if (fields.length > 0) throw new Error('the last line does not end');
  return lines;
}

interface Field {
  readonly field: CsvField;
  readonly end: number;
}

function quotedField(text: string, start: number): Field {
  let [value, at] = ['', start + 1];
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote === -1) throw new Error(`a quote at ${start} is not closed`);
    value += text.slice(at, quote);
    if (text[quote + 1] !== '"') return { field: value, end: quote + 1 };
    value += '"';
    at = quote + 2;
  }
}

function bareField(text: string, start: number): Field {
  let at = start;
  while (at < text.length && !',\r\n"'.includes(text[at] ?? '')) at += 1;
  const value = text.slice(start, at);
  return { field: value === '' ? null : value, end: at };
}
