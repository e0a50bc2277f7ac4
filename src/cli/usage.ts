/** The texts of `--help`: of the program with all options, and of one command. */
import type { Host, Option } from '../gateway/option.js';
import type { Paint } from './colors.js';
import type { Flags } from './arguments.js';
import type { Command, CommandEntry } from './command.js';
import { type OptionGroup, optionGroups, optionsOf } from './option-groups.js';

/** What the texts depend on. */
export interface UsageContext {
  readonly host: Host;
  readonly paint: Paint;
}

/** The text of `rowgate --help`. */
export function usageText(commands: readonly CommandEntry[], context: UsageContext): string {
  const { paint } = context;
  return [
    'Usage: rowgate COMMAND [OPTION …]',
    '',
    paint('bold', 'Commands:'),
    ...commands.map(({ name, summary }) => row(name, summary, paint)),
    '',
    `${paint('cyan', 'rowgate COMMAND --help')} shows the flags of a command, and examples.`,
    '',
    'Options (a flag, or its variable in the environment):',
    ...optionGroups.flatMap((group) => groupLines(group, context)),
  ].join('\n');
}

/** The text of `rowgate COMMAND --help`. */
export function commandText(
  { name, summary }: CommandEntry,
  { flags, positionals, options, examples }: Command,
  context: UsageContext,
): string {
  const { paint } = context;
  const lines = Object.entries(flags).map((flag) => flagLine(flag, paint));
  const call = ['rowgate', name, ...positionals, ...(lines.length > 0 ? ['[FLAG …]'] : [])];
  return [
    `Usage: ${call.join(' ')}`,
    '',
    `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`,
    ...(lines.length > 0 ? ['', paint('bold', 'Flags:')] : []),
    ...lines,
    ...options.flatMap((group) => groupLines(group, context)),
    '',
    paint('bold', 'Examples:'),
    ...examples.map((example) => `  rowgate ${example}`),
  ].join('\n');
}

function flagLine([flag, known]: [string, Flags[string]], paint: Paint): string {
  if (typeof known === 'string') return row(`--${flag}`, known, paint);
  const [value, purpose] = known;
  return row(`--${flag} ${value}`, purpose, paint);
}

function groupLines(group: OptionGroup, { host, paint }: UsageContext): readonly string[] {
  const options = optionsOf(group);
  if (options.length === 0) return [];
  return ['', paint('bold', `${group}:`), ...options.map((each) => optionLine(each, host, paint))];
}

function optionLine(option: Option<unknown>, host: Host, paint: Paint): string {
  const standard = option.defaultOn(host);
  const unit = option.unit === undefined ? '' : ` ${option.unit}`;
  const isShown = standard !== undefined && String(standard) !== '';
  const shown = isShown ? ` [${String(standard)}${unit}]` : '';
  const variables = paint('dim', option.variables.join(', '));
  return row(`--${option.flag}`, `${option.description}${shown} ${variables}`, paint);
}

const COLUMN = 26;

function row(left: string, right: string, paint: Paint): string {
  return `  ${paint('cyan', left)}${' '.repeat(Math.max(1, COLUMN - left.length))} ${right}`;
}
