/** The texts of `--help`: of the program with all options, and of one command. */
import type { Host, Option } from '../gateway/option.js';
import type { Paint } from './colors.js';
import type { Command, CommandEntry, CommandHelp } from './command.js';
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
  { syntax, help }: Command,
  context: UsageContext,
): string {
  const { paint } = context;
  const flags = [...syntax.values, ...syntax.switches];
  const call = ['rowgate', name, ...syntax.positionals, ...(flags.length > 0 ? ['[FLAG …]'] : [])];
  const examples = help?.examples ?? [];
  return [
    `Usage: ${call.join(' ')}`,
    '',
    `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`,
    ...(flags.length > 0 ? ['', paint('bold', 'Flags:')] : []),
    ...flags.map((flag) => flagLine(flag, syntax.values.includes(flag), help, paint)),
    ...(help?.options ?? []).flatMap((group) => groupLines(group, context)),
    ...(examples.length > 0 ? ['', paint('bold', 'Examples:')] : []),
    ...examples.map((example) => `  rowgate ${example}`),
  ].join('\n');
}

function flagLine(flag: string, hasValue: boolean, help: CommandHelp | undefined, paint: Paint) {
  const known = help?.flags[flag] ?? '';
  const [value, purpose] = typeof known === 'string' ? ['VALUE', known] : known;
  return row(`--${flag}${hasValue ? ` ${value}` : ''}`, purpose, paint);
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
