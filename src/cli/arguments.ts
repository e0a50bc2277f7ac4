/** Splits the arguments of a command into its own flags and the options of the configuration. */

/** The purpose of each flag, by its name without `--`; with the name of its value, if it has one. */
export type Flags = Readonly<Record<string, string | readonly [value: string, purpose: string]>>;

export interface CommandArguments {
  readonly values: ReadonlyMap<string, string>;
  readonly switches: ReadonlySet<string>;
  readonly positionals: readonly string[];
  /** The arguments that belong to the configuration, in their order. */
  readonly options: readonly string[];
}

/** Splits the arguments. Throws a UsageError if a value is missing. */
export function readArguments(argv: readonly string[], flags: Flags): CommandArguments {
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
    if (typeof known === 'string') {
      switches.add(flag);
      continue;
    }
    const value = equals === -1 ? argv[++index] : argument.slice(equals + 1);
    // The parser of the configuration reports unknown flags.
    if (!known) options.push(`--${flag}`, ...(value === undefined ? [] : [value]));
    else if (value === undefined) throw new UsageError(`--${flag} takes a value.`);
    else values.set(flag, value);
  }
  return { values, switches, positionals, options };
}

/** Throws a UsageError if there are too few or too many arguments without a flag. */
export function checkPositionals(given: readonly string[], names: readonly string[]): void {
  const required = names.filter((name) => !name.startsWith('['));
  const missing = required[given.length];
  if (missing !== undefined) throw new UsageError(`The argument ${missing} is missing.`);
  const extra = given[names.length];
  if (extra !== undefined) throw new UsageError(`The argument '${extra}' is not expected here.`);
}

/** Wrong usage of the command line: the message is printed, and the program exits with 2. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}
