/** The form of an option, and the parsers of its text. */

/** A value that cannot be used; the message says what is expected. */
export class ConfigurationError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ConfigurationError';
  }
}

/** The facts of the machine that defaults are made from. */
export interface Host {
  /** Processor cores that this process may use. */
  readonly cores: number;
}

export interface Option<Value> {
  /** Without the leading `--`. */
  readonly flag: string;
  /** Environment variables, the first that is set wins. */
  readonly variables: readonly string[];
  readonly unit?: string | undefined;
  readonly description: string;
  readonly defaultOn: (host: Host) => Value;
  /** Throws a ConfigurationError. */
  readonly parse: (text: string) => Value;
}

/** The bounds of a number, inclusive. */
export interface Range {
  readonly min: number;
  readonly max: number;
}

export function parseText(text: string): string {
  return text;
}

/** Parses a whole number within bounds. */
export function wholeNumber({ min, max }: Range): (text: string) => number {
  return (text) => {
    const value = /^\d{1,15}$/.test(text.trim()) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new ConfigurationError(`expected a whole number from ${min} to ${max}, got "${text}"`);
  };
}

const BYTE_UNITS: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  k: 1024,
  kib: 1024,
  m: 1024 ** 2,
  mib: 1024 ** 2,
  g: 1024 ** 3,
  gib: 1024 ** 3,
};

/** Parses a number of bytes: `65536`, `64KiB`, `16m`. */
export function byteCount({ min, max }: Range): (text: string) => number {
  return (text) => {
    const match = /^(\d{1,15})\s*([a-z]*)$/i.exec(text.trim());
    const factor = BYTE_UNITS[match?.[2]?.toLowerCase() ?? ''];
    const value = match === null || factor === undefined ? Number.NaN : Number(match[1]) * factor;
    if (value >= min && value <= max) return value;
    throw new ConfigurationError(
      `expected bytes from ${min} to ${max} (units KiB, MiB, GiB), got "${text}"`,
    );
  };
}

const SWITCH_WORDS: ReadonlyMap<string, boolean> = new Map([
  ['on', true],
  ['true', true],
  ['1', true],
  ['yes', true],
  ['off', false],
  ['false', false],
  ['0', false],
  ['no', false],
]);

/** Parses `on` or `off`. */
export function parseSwitch(text: string): boolean {
  const value = SWITCH_WORDS.get(text.trim().toLowerCase());
  if (value === undefined) throw new ConfigurationError(`expected on or off, got "${text}"`);
  return value;
}

/** Parses one of some words. */
export function oneOf<Word extends string>(words: readonly Word[]): (text: string) => Word {
  return (text) => {
    const word = words.find((candidate) => candidate === text.trim());
    if (word !== undefined) return word;
    throw new ConfigurationError(`expected one of ${words.join(', ')}, got "${text}"`);
  };
}
