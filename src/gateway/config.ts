/**
 * Reads the configuration from settings, arguments and environment variables that the caller passes in.
 * Settings and flags override the environment, which overrides the schema file, which overrides the defaults. `options`
 * lists all options.
 */
import { didYouMean, nearest } from '../engine/index.js';
import type { CertificateFiles } from './http/certificate.js';
import { isSettingName, options, type OptionName, type SettingName } from './options.js';
import { ConfigurationError, type Host, type Option } from './option.js';

export type Configuration = {
  readonly [Name in OptionName]: (typeof options)[Name] extends Option<infer Value> ? Value : never;
};

/** Values by the names of the options, from a program that embeds Rowgate. */
export type Settings = Partial<Pick<Configuration, SettingName>>;

/** Where the values come from. */
export interface ConfigurationInput {
  readonly settings?: Settings;
  /** The arguments after the command: `--port 9292`, `--port=9292`. */
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** From the schema file, by the names of the options. */
  readonly file?: ReadonlyMap<string, FileOption>;
  readonly host: Host;
}

/** The text of an option in a file, and its place for errors. */
export interface FileOption {
  readonly text: string;
  readonly from: string;
}

/** Throws a ConfigurationError that names the invalid setting, flag, variable or place. */
export function readConfiguration(input: ConfigurationInput): Configuration {
  const flags = readFlags(input.argv);
  const settings = readSettings(input.settings ?? {});
  const valueOf = (name: string, option: Option<unknown>, host: Host): unknown => {
    const setting = settings.get(name);
    if (setting !== undefined) {
      const byDefault = option.defaultOn(host);
      // An empty list has no text. It is the default of each list.
      return isEmptyList(setting) && isEmptyList(byDefault)
        ? byDefault
        : parse(option, String(setting), name);
    }
    const flagText = flags.get(option.flag);
    if (flagText !== undefined) return parse(option, flagText, `--${option.flag}`);
    for (const variable of option.variables) {
      const text = input.environment[variable];
      if (text) return parse(option, text, variable);
    }
    const inFile = input.file?.get(name);
    if (inFile) return parse(option, inFile.text, inFile.from);
    return option.defaultOn(host);
  };
  const workers = Number(valueOf('workers', options.workers, input.host));
  const host = { ...input.host, workers };
  const values = allOptions().map(([name, option]) => [name, valueOf(name, option, host)]);
  // Each value is from the option's own parser or default.
  return Object.fromEntries(values) as Configuration;
}

export function allOptions(): readonly [name: string, option: Option<unknown>][] {
  return Object.entries<Option<unknown>>(options);
}

/** The files of the certificate. Throws a ConfigurationError if one of them is missing. */
export function certificateOf({
  tlsCert,
  tlsKey,
}: Pick<Configuration, 'tlsCert' | 'tlsKey'>): CertificateFiles | undefined {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert !== undefined && tlsKey !== undefined) return { certFile: tlsCert, keyFile: tlsKey };
  throw new ConfigurationError('--tls-cert and --tls-key belong together');
}

const PREFIX = 'ROWGATE_';

/** Variables that belong to no option and are probably misspelt, with the names of similar ones. */
export function misspeltVariables(
  environment: ConfigurationInput['environment'],
): readonly { readonly variable: string; readonly similar: readonly string[] }[] {
  const variables = ['ROWGATE_KEY', ...allOptions().flatMap(([, each]) => each.variables)];
  // The prefix, which all have, would make any two of them similar.
  const known = variables.map((each) => each.replace(PREFIX, ''));
  return Object.keys(environment).flatMap((variable) => {
    if (!variable.startsWith(PREFIX) || variables.includes(variable)) return [];
    const similar = nearest(variable.slice(PREFIX.length), known).map((each) => PREFIX + each);
    return similar.length === 0 ? [] : [{ variable, similar }];
  });
}

function parse(option: Option<unknown>, text: string, from: string): unknown {
  try {
    return option.parse(text);
  } catch (cause) {
    if (!(cause instanceof ConfigurationError)) throw cause;
    throw new ConfigurationError(`${from}: ${cause.message}`, { cause });
  }
}

/** The error for a name that does not exist. */
export function unknownName(
  what: 'flag' | 'option',
  name: string,
  known: readonly string[],
): ConfigurationError {
  const hint = didYouMean(name, known);
  return new ConfigurationError(`unknown ${what} ${name}${hint === undefined ? '' : `. ${hint}`}`);
}

/** The settings by name; an unknown name is an error. */
function readSettings(settings: Settings): ReadonlyMap<string, unknown> {
  const given = Object.entries(settings).filter(([, value]) => value !== undefined);
  for (const [name] of given) {
    if (isSettingName(name)) continue;
    throw unknownName('option', name, Object.keys(options).filter(isSettingName));
  }
  return new Map(given);
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** The values of the flags, by name; an unknown flag is an error. */
function readFlags(argv: readonly string[]): ReadonlyMap<string, string> {
  const known = allOptions().map(([, option]) => `--${option.flag}`);
  const flags = new Map<string, string>();
  for (let index = 0; index < argv.length; index++) {
    const argument = argv[index] ?? '';
    const match = /^--([a-z][a-z0-9-]*)(?:=(.*))?$/s.exec(argument);
    const name = match?.[1];
    if (name === undefined) throw new ConfigurationError(`unexpected argument ${argument}`);
    if (!known.includes(`--${name}`)) throw unknownName('flag', `--${name}`, known);
    const text = match?.[2] ?? argv[++index];
    if (text === undefined) throw new ConfigurationError(`--${name} takes a value`);
    flags.set(name, text);
  }
  return flags;
}
