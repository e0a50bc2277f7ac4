/** The values of parameters: reads them from the data for a form, and writes changes back. */
import { type Parameter, PARENT_KEY } from '../gateway/forms.js';
import { isRow } from '../rows/columns.js';
import { exactText, parseExact } from '../rows/exact-json.js';

/** The parameters that can be entered, including those of included relations. */
export function enteredParameters(parameters: readonly Parameter[]): readonly Parameter[] {
  const all = parameters.flatMap((each) =>
    each.children === undefined ? [each] : enteredParameters(each.children),
  );
  const byName = new Map(all.map((each) => [each.name, each]));
  byName.delete(PARENT_KEY);
  return [...byName.values()];
}

/** The value at a path such as `entity.id`; undefined if there is none. */
export function valueAt(data: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => memberOf(value, name), data);
}

/** A copy of the data with another value at a path; undefined removes the value. */
export function withValue(data: unknown, path: string, value: unknown): unknown {
  const [name = '', ...rest] = path.split('.');
  const members = isRow(data) ? data : {};
  const inner = rest.length === 0 ? value : withValue(members[name], rest.join('.'), value);
  const changed: Record<string, unknown> = { ...members, [name]: inner };
  if (inner === undefined) delete changed[name];
  return changed;
}

export function inputText(value: unknown, type: string): string {
  if (value === undefined || value === null) return '';
  if (isList(type) && Array.isArray(value))
    return value.map((item) => inputText(item, '')).join(', ');
  return typeof value === 'string' ? value : exactText(value, { isCompact: true });
}

/** The value of an input's text; undefined if there is none. */
export function readInput(text: string, type: string): unknown {
  if (isList(type)) {
    if (text.trim() === '') return [];
    const itemType = type.replaceAll(/^\[|\]$|\[\]$/g, '');
    return text.split(',').map((item) => readInput(item.trim(), itemType));
  }
  if (/^(?:integer|decimal|number)$/.test(type)) return text === '' ? undefined : number(text);
  if (type === 'boolean') return { true: true, false: false }[text];
  if (/^(?:any|json)$/.test(type)) return text === '' ? undefined : jsonOrText(text);
  return text === '' && type !== 'string' ? undefined : text;
}

export function isList(type: string): boolean {
  return /^\[.*\]$|\[\]$/.test(type);
}

/** A number that a double cannot represent stays a string, which the gateway accepts as well. */
function number(text: string): unknown {
  const value = Number(text);
  return String(value) === text ? value : text;
}

function jsonOrText(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    return text;
  }
}

function memberOf(value: unknown, name: string): unknown {
  return isRow(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
