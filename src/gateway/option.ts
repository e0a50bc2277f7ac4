/** The type of an option, and the parsers of option values. */
import { isIP } from 'node:net';
import type { Batching } from '../workers/protocol.js';

/** A value that cannot be used; the message says what is expected. */
export class ConfigurationError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ConfigurationError';
  }
}

/** Properties of the machine that defaults depend on. */
export interface Host {
  /** Processor cores that this process may use. */
  readonly cores: number;
  /** The limit of the container's memory; undefined if there is none. */
  readonly memoryBytes?: number;
  /** The number of workers, if it is configured. */
  readonly workers?: number;
}

/** What kind of value an option takes. */
export interface Kind<Value> {
  readonly unit?: string | undefined;
  /** Throws a ConfigurationError. */
  readonly parse: (text: string) => Value;
}

export interface Option<Value> extends Kind<Value> {
  /** Without the leading `--`. */
  readonly flag: string;
  /** Environment variables; the first one that is set wins. */
  readonly variables: readonly string[];
  readonly description: string;
  readonly defaultOn: (host: Host) => Value;
}

/** An option with its flag, its variable ROWGATE_…, and other variables that mean the same. */
export function option<Value extends string | number | boolean | readonly string[] | undefined>(
  flag: string,
  standard: Value | ((host: Host) => Value),
  kind: Kind<Value>,
  description: string,
  also: readonly string[] = [],
): Option<Value> {
  const variables = [`ROWGATE_${flag.toUpperCase().replaceAll('-', '_')}`, ...also];
  const defaultOn = typeof standard === 'function' ? standard : () => standard;
  return { ...kind, flag, variables, description, defaultOn };
}

export const anyText: Kind<string> = { parse: (text) => text };

/** The name or address of a network interface. lambdaorm-svc takes a URL in `HOST`. */
export const hostName: Kind<string> = {
  parse: (text) => {
    if (!text.includes('/')) return text;
    const url = URL.canParse(text) ? new URL(text).hostname : '';
    const found = url === '' ? '127.0.0.1' : url;
    throw new ConfigurationError(`expected an address such as ${found}, got "${text}"`);
  },
};

/** An option with any text, or none. */
export function optionalText(flag: string, description: string): Option<string | undefined> {
  return option<string | undefined>(flag, undefined, anyText, description);
}

/** An option that is on or off, and off by default. */
export function offByDefault(flag: string, description: string): Option<boolean> {
  return option<boolean>(flag, false, onOrOff, description);
}

/** A value that is not undefined; `expected` describes such values. */
function checked<Value>(expected: string, read: (text: string) => Value | undefined): Kind<Value> {
  const parse = (text: string): Value => {
    const value = read(text);
    if (value !== undefined) return value;
    throw new ConfigurationError(`expected ${expected}, got "${text}"`);
  };
  return { parse };
}

function valid(expected: string, isValid: (text: string) => boolean): Kind<string> {
  return checked(expected, (text) => (isValid(text) ? text : undefined));
}

/** A number within inclusive bounds, written like `form`. */
function within(what: string, form: RegExp, min: number, max: number): Kind<number> {
  return checked(`${what} from ${min} to ${max}`, (text) => {
    const value = form.test(text.trim()) ? Number(text) : Number.NaN;
    return value >= min && value <= max ? value : undefined;
  });
}

/** A whole number within inclusive bounds. */
export function wholeNumber(min: number, max: number, unit?: string): Kind<number> {
  return { unit, ...within('a whole number', /^\d{1,15}$/, min, max) };
}

/** A number with at most three decimals, within inclusive bounds. */
export function decimalNumber(min: number, max: number): Kind<number> {
  return within('a number', /^\d{1,15}(?:\.\d{1,3})?$/, min, max);
}

export function milliseconds(min: number, max: number): Kind<number> {
  return wholeNumber(min, max, 'ms');
}

/** A number of bytes within inclusive bounds: `65536`, `64KiB`, `16m`. */
export function byteCount(min: number, max: number): Kind<number> {
  const kind = checked(`bytes from ${min} to ${max} (units KiB, MiB, GiB)`, (text) => {
    const [, digits, unit = ''] = /^(\d{1,15})\s*(?:b|([kmg])(?:ib)?)?$/i.exec(text.trim()) ?? [];
    const value = Number(digits) * 1024 ** ['', 'k', 'm', 'g'].indexOf(unit.toLowerCase());
    return value >= min && value <= max ? value : undefined;
  });
  return { ...kind, unit: 'bytes' };
}

export const httpUrl = valid(
  'an address such as https://example.com',
  (text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol),
);

/** The longest path of a UNIX socket, in bytes; uWebSockets.js ends the process if it is longer. */
const SOCKET_BYTES_MAX = process.platform === 'linux' || process.platform === 'win32' ? 107 : 103;

/** The path of a UNIX socket. */
export const socketPath: Kind<string> = {
  parse: (text) => {
    const bytes = Buffer.byteLength(text);
    if (bytes > 0 && bytes <= SOCKET_BYTES_MAX && !text.includes('\0')) return text;
    throw new ConfigurationError(
      `expected a path of 1 to ${SOCKET_BYTES_MAX} bytes, got one of ${bytes} bytes`,
    );
  },
};

/** Permissions of a file in octal digits: `660`. */
export const fileMode = valid('permissions such as 660', (text) => /^[0-7]{3}$/.test(text));

/** `on` or `off`. */
export const onOrOff = checked('on or off', (text) => {
  const isOn = /^\s*(?:on|true|1|yes)\s*$/i.test(text);
  return isOn || /^\s*(?:off|false|0|no)\s*$/i.test(text) ? isOn : undefined;
});

/** One of the modes; `on` means `measured`. */
export const batchingMode: Kind<Batching> = {
  parse: (text) => {
    const mode = text.trim();
    if (mode === 'measured' || mode === 'always') return mode;
    return onOrOff.parse(text) ? 'measured' : 'off';
  },
};

/** Stands for proxies that connect through the UNIX socket. */
export const UNIX_PROXY = 'unix';

/** Addresses, networks (`10.0.0.0/8`), and {@link UNIX_PROXY}. */
export const proxyList: Kind<readonly string[]> = listOf(
  'an address, a network or "unix"',
  (text) => {
    const [address = '', bits, ...rest] = text.split('/');
    const bitsMax = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
    const isNetwork = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= bitsMax);
    return text === UNIX_PROXY || (bitsMax > 0 && isNetwork && rest.length === 0);
  },
);

/** Origins as browsers send them (`https://example.com`), or `*`. */
export const originList: Kind<readonly string[]> = listOf(
  'an origin such as https://example.com, or *',
  (text) => text === '*' || (URL.canParse(text) && new URL(text).origin === text),
);

/** The maximum number of values. */
const NUMBERS_MAX = 50;

/** Positive numbers in ascending order, separated by commas. */
export const ascendingNumbers: Kind<readonly string[]> = {
  unit: 'ms',
  ...checked(
    `at most ${NUMBERS_MAX} positive numbers in ascending order, separated by commas`,
    (text) => {
      const numbers = text.split(',').map((each) => each.trim());
      const isValid = numbers.every((each, index) => {
        const isNumber = /^\d{1,9}(?:\.\d{1,6})?$/.test(each) && Number(each) > 0;
        return isNumber && (index === 0 || Number(numbers[index - 1]) < Number(each));
      });
      return isValid && numbers.length <= NUMBERS_MAX ? numbers : undefined;
    },
  ),
};

/** A list of texts, separated by commas. */
function listOf(what: string, isValid: (text: string) => boolean): Kind<readonly string[]> {
  const item = valid(what, isValid);
  return { parse: (text) => text.split(',').map((each) => item.parse(each.trim())) };
}

/** One of several words. */
export function oneOf<Word extends string>(words: readonly Word[]): Kind<Word> {
  return checked(`one of ${words.join(', ')}`, (text) =>
    words.find((candidate) => candidate === text.trim()),
  );
}
