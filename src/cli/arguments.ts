/** Splits the arguments of a command into its own flags and the options of the configuration. */

import { unknownName } from '../gateway/config.js';
import { ConfigurationError, onOrOff } from '../gateway/option.js';
import type { Command } from './command.js';
import { optionsOf } from './option-groups.js';

/**
 * The purpose of each flag, by its name without `--`; with the name of its value, if it has one. One without is a
 * switch, which `--strict` or `--strict=on` turns on, and `--strict=off` off.
 */
export type Flags = Readonly<Record<string, string | readonly [value: string, purpose: string]>>;

export interface CommandArguments {
  readonly values: ReadonlyMap<string, string>;
  readonly switches: ReadonlySet<string>;
  readonly positionals: readonly string[];
  /** The arguments that belong to the configuration, in their order. */
  readonly options: readonly string[];
}

/** What a command accepts: its flags, and the names of its arguments without a flag. */
interface AcceptedArguments {
  readonly flags: Flags;
  readonly positionals: readonly string[];
}

/**
 * Splits the arguments. The first one without a flag, such as `URL`, may also be written as `--url URL`. Throws a
 * UsageError or a ConfigurationError if a value is missing or wrong.
 */
export function readArguments(
  argv: readonly string[],
  { flags, positionals: [first] }: AcceptedArguments,
): CommandArguments {
  const values = new Map<string, string>();
  const switches = new Set<string>();
  const positionals: string[] = [];
  const options: string[] = [];
  for (let index = 0; index < argv.length; index += 1) {
    const argument = argv[index] ?? '';
    if (!argument.startsWith('--')) {
      positionals.push(argument);
      continue;
    }
    const equals = argument.indexOf('=');
    const flag = argument.slice(2, equals === -1 ? undefined : equals);
    const known = Object.hasOwn(flags, flag) ? flags[flag] : undefined;
    const attached = equals === -1 ? undefined : argument.slice(equals + 1);
    if (typeof known === 'string') {
      if (attached === undefined || isOn(flag, attached)) switches.add(flag);
      else switches.delete(flag);
      continue;
    }
    const value = attached ?? argv[++index];
    // The parser of the configuration reports unknown flags.
    const isFirst = flag === first?.toLowerCase();
    if (!known && !isFirst) options.push(`--${flag}`, ...(value === undefined ? [] : [value]));
    else if (value === undefined) throw new UsageError(`--${flag} takes a value.`);
    else if (isFirst) positionals.unshift(value);
    else values.set(flag, value);
  }
  return { values, switches, positionals, options };
}

/** Throws a ConfigurationError if a command that needs no configuration is given an option of it: it would have no effect. */
export function checkOptions(
  [option]: readonly string[],
  { flags, options }: { readonly flags: Flags; readonly options: readonly unknown[] },
): void {
  if (option === undefined || options.length > 0) return;
  const known = Object.keys(flags).map((flag) => `--${flag}`);
  throw unknownName('flag', option, known);
}

function isOn(flag: string, value: string): boolean {
  try {
    return onOrOff.parse(value);
  } catch (cause) {
    if (!(cause instanceof ConfigurationError)) throw cause;
    throw new ConfigurationError(`--${flag}: ${cause.message}`, { cause });
  }
}

/** Throws a UsageError if there are too few or too many arguments without a flag. */
export function checkPositionals(
  given: readonly string[],
  { positionals: names, options }: Pick<Command, 'positionals' | 'options'>,
): void {
  const required = names.filter((name) => !name.startsWith('['));
  const missing = required[given.length];
  if (missing !== undefined) throw new UsageError(`The argument ${missing} is missing.`);
  const extra = given[names.length];
  if (extra === undefined) return;
  const takesSchema = options.flatMap(optionsOf).some(({ flag }) => flag === 'schema');
  const isFile = takesSchema && /\.(ya?ml|json)$/i.test(extra);
  const hint = isFile ? ` Write --schema ${extra}.` : '';
  throw new UsageError(`The argument '${extra}' is not expected here.${hint}`);
}

/** Wrong usage of the command line: the message is printed, and the program exits with 2. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}
