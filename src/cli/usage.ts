/** The usage text: the commands, and every option with its default. */
import { allOptions } from '../gateway/config.js';
import type { Host } from '../gateway/option.js';
import type { Command } from './command.js';

/** The whole text of `rowgate --help`. */
export function usageText(commands: readonly Command[], host: Host): string {
  return [
    'Usage: rowgate COMMAND [OPTION …]',
    '',
    'Commands:',
    ...commands.map(({ name, summary, syntax }) => {
      const call = [name, ...syntax.positionals].join(' ');
      return `  ${call.padEnd(24)} ${summary}`;
    }),
    '',
    'Options (flag, or its variable in the environment):',
    ...allOptions().map(([, option]) => {
      const standard = option.defaultOn(host);
      const shown = standard === undefined ? '' : ` [${String(standard)}${unitOf(option.unit)}]`;
      return `  ${`--${option.flag}`.padEnd(24)} ${option.description}${shown} ${option.variables.join(', ')}`;
    }),
  ].join('\n');
}

function unitOf(unit: string | undefined): string {
  return unit === undefined ? '' : ` ${unit}`;
}
