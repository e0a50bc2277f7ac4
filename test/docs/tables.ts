/** The tables that documents show of the program's own: its options, and its errors. */
import { allOptions } from '../../src/gateway/config.js';
import { errorTable } from '../../src/gateway/errors.js';
import type { Option } from '../../src/gateway/option.js';

/** A line for every option. */
export function optionTable(): string {
  const rows = allOptions().map(([, option]) => [
    `\`--${option.flag}\``,
    option.variables.map((name) => `\`${name}\``).join(', '),
    defaultOf(option),
    option.unit ?? '',
    option.description,
  ]);
  return table(['flag', 'variables', 'default', 'unit', 'what for'], rows);
}

/** A line for every code. */
export function errorCodeTable(): string {
  const rows = Object.entries(errorTable).map(([code, { status, title }]) => [
    `\`${code}\``,
    String(status),
    title,
  ]);
  return table(['code', 'status', 'title'], rows);
}

/** The text between `<!-- name -->` and `<!-- /name -->`. */
export function markedPart(text: string, name: string): string {
  return text.split(`<!-- ${name} -->\n`)[1]?.split(`\n<!-- /${name} -->`)[0] ?? '';
}

/** The document with another marked part. */
export function withMarkedPart(text: string, name: string, part: string): string {
  return text.replace(markedPart(text, name), () => part);
}

/** The default of the workers depends on the machine, and is told as the rule. */
function defaultOf(option: Option<unknown>): string {
  const values = [1, 2, 64].map((cores) => String(option.defaultOn({ cores }) ?? ''));
  const [onOne = '', least = '', most = ''] = values;
  if (onOne === most) return onOne;
  return `cores − 1, from ${least} to ${most}; ${onOne} on one core`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.map(escapeCell).join(' | ')} |`).join('\n');
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|');
}
