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

/** Whether a parsed value contains a number that a double cannot represent. */
export function hasExactNumber(value: unknown): boolean {
  if (value instanceof ExactNumber) return true;
  return typeof value === 'object' && value !== null && Object.values(value).some(hasExactNumber);
}

export interface TextForm {
  /** Whether the text is one line without spaces. */
  readonly isCompact?: boolean;
  /** Writes a number that a double cannot represent. */
  readonly writeExact?: (digits: string) => string;
}

/** The JSON text of a parsed value. */
export function exactText(value: unknown, form: TextForm = {}, indent = ''): string {
  const { isCompact = false, writeExact = (digits) => digits } = form;
  if (value instanceof ExactNumber) return writeExact(value.text);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const colon = isCompact ? ':' : ': ';
  const members = isList
    ? value.map((item) => exactText(item, form, inner))
    : Object.entries(value).map(
        ([name, item]) => `${JSON.stringify(name)}${colon}${exactText(item, form, inner)}`,
      );
  const [start, end] = isList ? ['[', ']'] : ['{', '}'];
  if (isCompact || members.length === 0) return start + members.join(',') + end;
  return `${start}\n${inner}${members.join(`,\n${inner}`)}\n${indent}${end}`;
}

function isKept(value: number, source: string): boolean {
  return String(value) === source || (source.length < 16 && !GREAT_EXPONENT.test(source));
}

const GREAT_EXPONENT = /e[+-]?\d{3}/i;
