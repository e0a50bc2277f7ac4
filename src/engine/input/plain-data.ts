/**
 * Reads the data of most requests with one regular expression, without a parser: short integers and plain strings, in
 * the order in which the query names its parameters. `readArguments` reads all other data. A hot path (bench, "point").
 */
import type { CompiledQuery } from '../compiled-query.js';
import type { ParameterValues } from './arguments.js';
import { countsOf, countText } from './count-text.js';

/** Reads the JSON text of data; undefined if it is not plain. Throws `parameter-type` for a wrong number of rows. */
export type ReadPlainData = (text: string) => ParameterValues | undefined;

/**
 * A double may not represent integers with more digits exactly. `readArguments` refuses leading zeros, and reads -0
 * as 0.
 */
const INTEGER = String.raw`(-?[1-9]\d{0,14}|0)`;
/** Printable ASCII without escapes. */
const TEXT = String.raw`"([ !#-[\]-~]{0,254})"`;

/** The plain values of each type. `readArguments` reads decimals with a fraction. */
const forms: Readonly<Record<string, string>> = {
  integer: INTEGER,
  decimal: INTEGER,
  string: TEXT,
};

/** The reader for a query; undefined unless it has parameters, all of them integers or strings. */
export function createPlainReader({ parameters, root }: CompiledQuery): ReadPlainData | undefined {
  const members = parameters.flatMap(({ name, type }) => {
    const form = /^[\w$]+$/.test(name) ? forms[type] : undefined;
    return form === undefined ? [] : [`"${name.replaceAll('$', '[$]')}":${form}`];
  });
  if (members.length === 0 || members.length < parameters.length) return undefined;
  const pattern = new RegExp(`^\\{${members.join(',')}\\}$`);
  const counts = countsOf(root);
  return (text) => {
    const values = pattern.exec(text);
    if (!values) return undefined;
    const texts = new Map<string, string>();
    for (let index = 0; index < parameters.length; index += 1) {
      const { name = '', enums } = parameters[index] ?? {};
      const value = values[index + 1] ?? '';
      if (enums?.some(({ values: allowed }) => !allowed.includes(value))) return undefined;
      texts.set(name, value);
    }
    const read = { texts, variant: noMarks, instant: undefined };
    for (const each of counts) countText(each, read);
    return read;
  };
}

const noMarks: readonly string[] = [];
