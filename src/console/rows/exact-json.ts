/** Reads and writes JSON whose numbers keep all their digits, unlike doubles. */

/** A number that a double cannot represent. */
export class ExactNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Parses JSON. If the browser does not provide the digits, numbers are doubles. */
export function parseExact(text: string): unknown {
  return JSON.parse(
    text,
    (_key: string, value: unknown, context?: { readonly source?: string }) => {
      const source = context?.source;
      if (typeof value !== 'number' || source === undefined) return value;
      return isKept(value, source) ? value : new ExactNumber(source);
    },
  );
}

/** The JSON text of a parsed value. */
export function exactText(value: unknown, indent = ''): string {
  if (value instanceof ExactNumber) return value.text;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const members = isList
    ? value.map((item) => exactText(item, inner))
    : Object.entries(value).map(
        ([name, item]) => `${JSON.stringify(name)}: ${exactText(item, inner)}`,
      );
  const [start, end] = isList ? ['[', ']'] : ['{', '}'];
  if (members.length === 0) return start + end;
  return `${start}\n${inner}${members.join(`,\n${inner}`)}\n${indent}${end}`;
}

function isKept(value: number, source: string): boolean {
  return String(value) === source || source.length < 16;
}
