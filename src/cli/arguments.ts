/** The arguments of a command: its own flags, and those of the configuration, which all share. */

/** What a command takes beside the options of the configuration. */
export interface CommandSyntax {
  /** Flags that take a value, without `--`. */
  readonly values: readonly string[];
  /** Flags that are there or not. */
  readonly switches: readonly string[];
  /** Names of the arguments without a flag; those in brackets may be left out. */
  readonly positionals: readonly string[];
}

export interface CommandArguments {
  readonly values: ReadonlyMap<string, string>;
  readonly switches: ReadonlySet<string>;
  readonly positionals: readonly string[];
  /** What belongs to the configuration, in its order. */
  readonly options: readonly string[];
}

/** Sorts arguments out. Throws a UsageError for a value that is missing. */
export function readArguments(argv: readonly string[], syntax: CommandSyntax): CommandArguments {
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
    if (syntax.switches.includes(flag)) {
      switches.add(flag);
      continue;
    }
    const value = equals === -1 ? argv[++index] : argument.slice(equals + 1);
    // Unknown flags are reported by the parser of the configuration.
    if (!syntax.values.includes(flag))
      options.push(`--${flag}`, ...(value === undefined ? [] : [value]));
    else if (value === undefined) throw new UsageError(`--${flag} takes a value.`);
    else values.set(flag, value);
  }
  return { values, switches, positionals, options };
}

/** Throws a UsageError for an argument without a flag that is missing or too many. */
export function checkPositionals(given: readonly string[], names: readonly string[]): void {
  const required = names.filter((name) => !name.startsWith('['));
  const missing = required[given.length];
  if (missing !== undefined) throw new UsageError(`The argument ${missing} is missing.`);
  const extra = given[names.length];
  if (extra !== undefined) throw new UsageError(`The argument '${extra}' is one too many.`);
}

/** Wrong usage of the command line: one sentence is printed, and the program exits with 2. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}
