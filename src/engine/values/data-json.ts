/** Writes values of the data as JSON text, and indents JSON text. */
import { replaceAround } from './quoted-strings.js';
import { stringJson } from './scalar-json.js';
import { type DataValue, ExactNumber, isDataObject } from './data-value.js';

/** The deepest nesting of lists and objects. */
export const DATA_DEPTH_MAX = 500;

/** The JSON text of a value, with all digits of its numbers; undefined if it nests too deeply. */
export function dataJson(value: DataValue, depth = 0): string | undefined {
  if (depth > DATA_DEPTH_MAX) return undefined;
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return stringJson(value);
  if (value instanceof ExactNumber) return value.text;
  if (isDataObject(value)) {
    const members = Object.entries(value).map(([name, each]) => {
      const text = dataJson(each, depth + 1);
      return text === undefined ? undefined : `${stringJson(name)}:${text}`;
    });
    return joined('{', members, '}');
  }
  const items: readonly DataValue[] = value;
  return joined(
    '[',
    items.map((item) => dataJson(item, depth + 1)),
    ']',
  );
}

function joined(open: string, parts: readonly (string | undefined)[], close: string) {
  return parts.includes(undefined) ? undefined : `${open}${parts.join(',')}${close}`;
}

/** Indents compact JSON text by two spaces, at nesting `depth`. */
export function indentedJson(text: string, depth: number): string {
  let at = depth;
  const line = () => `\n${'  '.repeat(at)}`;
  const indented = (token: string) => {
    switch (token) {
      case '[':
      case '{':
        at += 1;
        return token + line();
      case ']':
      case '}':
        at -= 1;
        return line() + token;
      case ',':
        return token + line();
      case ':':
        return ': ';
      default:
        return token;
    }
  };
  return replaceAround(text, {
    string: (part) => part,
    between: (part) => part.replace(/[[{][\]}]|[[{\]},:]/g, indented),
  });
}
