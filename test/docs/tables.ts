/** The generated tables of the documents: options, errors and types. */
import { allOptions } from '../../src/gateway/config.js';
import { errorTable } from '../../src/gateway/errors.js';
import { dialectOf } from '../../src/engine/dialects/dialects.js';
import type { PropertyType, ScalarType } from '../../src/engine/schema/model.js';
import type { Option } from '../../src/gateway/option.js';
import { isSettingName } from '../../src/gateway/options.js';

/** The table of options, with a line for each. */
export function optionTable(): string {
  const rows = allOptions().map(([name, option]) => [
    `\`--${option.flag}\``,
    option.variables.map((variable) => `\`${variable}\``).join(', '),
    isSettingName(name) ? `\`${name}\`` : '',
    defaultOf(option),
    option.unit ?? '',
    option.description,
  ]);
  return table(['flag', 'variables', 'setting', 'default', 'unit', 'what for'], rows);
}

/** The table of error codes, with a line for each. */
export function errorCodeTable(): string {
  const rows = Object.entries(errorTable).map(([code, { status, title }]) => [
    `\`${code}\``,
    String(status),
    title,
  ]);
  return table(['code', 'status', 'title'], rows);
}

/**
 * The table of property types, with the columns that each can be read from and the one that `push`
 * creates.
 */
export function typeTable(): string {
  const rows = Object.entries(jsonForms).map(([type, form]) => [
    `\`${type}\``,
    columnsOf('PostgreSQL', type),
    columnsOf('MariaDB', type),
    form,
  ]);
  return table(['type', 'PostgreSQL', 'MySQL, MariaDB', 'JSON'], rows);
}

const jsonForms: Readonly<Record<ScalarType | 'string[]', string>> = {
  integer: 'a number, all its digits',
  decimal: 'a number, all its digits, without zeros at the end',
  number: 'a number, the shortest digits of a double; null for NaN and infinities',
  boolean: '`true`, `false`',
  string: 'a string',
  dateTime: '`2024-02-29T12:30:00.000Z`; six digits where there are microseconds',
  date: '`2024-02-29T00:00:00.000Z`',
  time: '`12:30:00`, with three or six digits where there is a fraction',
  json: 'the value: an object, a list, a string, a number',
  uuid: 'a string: `123e4567-e89b-42d3-a456-426614174000`',
  binary: 'a string in base64',
  interval: 'a string; on PostgreSQL an ISO 8601 duration: `P1DT2H`',
  inet: 'a string: `192.168.0.1`, `10.0.0.0/8`, `::1`',
  xml: 'a string',
  any: 'a string',
  'string[]': 'an array of the values above; the same for `integer[]` and so on',
};

function columnsOf(dialect: 'PostgreSQL' | 'MariaDB', type: string): string {
  const { ddl } = dialectOf(dialect);
  const column = { name: 'x', key: 'x', isLong: false, required: false, autoIncrement: false };
  const made = isType(type)
    ? ddl.columnType({ ...column, type, length: 80, enum: undefined, default: undefined })
    : '';
  const read = [...ddl.propertyTypes]
    .filter(([, mapped]) => mapped === type)
    .map(([name]) => `\`${name.replace(/^_(.*)$/, '$1[]')}\``);
  return `**\`${made}\`**${read.length > 0 ? `; ${read.join(' ')}` : ''}`;
}

function isType(type: string): type is PropertyType {
  return Object.hasOwn(jsonForms, type);
}

/** The text between `<!-- name -->` and `<!-- /name -->`. */
export function markedPart(text: string, name: string): string {
  return text.split(`<!-- ${name} -->\n`)[1]?.split(`\n<!-- /${name} -->`)[0] ?? '';
}

/** The document with a replaced marked part. */
export function withMarkedPart(text: string, name: string, part: string): string {
  return text.replace(markedPart(text, name), () => part);
}

/** A default that depends on the machine is described. */
function defaultOf(option: Option<unknown>): string {
  const cores = [1, 2, 64];
  const values = cores.map((each) => String(option.defaultOn({ cores: each }) ?? ''));
  const [onOne = '', least = '', most = ''] = values;
  const inContainer = option.defaultOn({ cores: 2, memoryBytes: 2 ** 30 });
  if (inContainer === 2 ** 28) {
    return `${onOne}; at most half of a container's memory, divided among the workers`;
  }
  if (onOne === most) return onOne;
  if (values.join() === '0.3,0.7,21.3') return 'a third of the cores';
  return `cores − 1, from ${least} to ${most}; ${onOne} on one core`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.map(escapeCell).join(' | ')} |`).join('\n');
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|');
}
