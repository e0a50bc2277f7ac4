/**
 * The file of API keys: JSON with the SHA-256 hash of each key, never the key itself. A fast hash is
 * sufficient, because a key has 256 random bits.
 */
import { hash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { messageOf, unusable } from '../error-message.js';
import { isObject } from '../json-value.js';
import { type Grants, readGrants } from './grants.js';

export interface KeyEntry extends Grants {
  readonly name: string;
  /** The SHA-256 of the key in hexadecimal digits. */
  readonly hash: string;
  /** ISO 8601; absent: never. */
  readonly expires?: string;
}

const PREFIX = 'rowgate_';
const KEY_BYTES = 32;
const NAME = /^[\w.-]{1,64}$/;
const HASH = /^[0-9a-f]{64}$/;

const INSTANT = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/;

export function makeKey(): string {
  return PREFIX + randomBytes(KEY_BYTES).toString('base64url');
}

/** The digest under which keys and tokens are looked up. */
export function digestOf(text: string): string {
  return hash('sha256', text, 'hex');
}

/** Reads the file. Throws an Error that names the file and the key at fault. */
export function readKeys(path: string): readonly KeyEntry[] {
  try {
    const content: unknown = JSON.parse(readFileSync(path, 'utf8'));
    const { keys, ...others } = isObject(content) ? content : {};
    if (!Array.isArray(keys)) throw new Error('expected {"keys": [ … ]}');
    const [unknown] = Object.keys(others);
    if (unknown !== undefined) throw new Error(`there is no member '${unknown}' beside "keys"`);
    const entries = keys.map(readEntry);
    for (const member of ['name', 'hash'] as const) {
      const all = new Set(entries.map((entry) => entry[member]));
      if (all.size < entries.length) throw new Error(`two keys have the same ${member}`);
    }
    return entries;
  } catch (cause) {
    throw unusable(`The keys in ${path}`, cause);
  }
}

/**
 * Writes a file. A new one can be read only by its owner; an existing one keeps its owner, its permissions and the
 * group that they concern, and a symbolic link keeps pointing at it. A reader sees the old file or the new one. Throws,
 * and leaves the old file, if the new one cannot be given to its owner.
 */
export function writePrivately(path: string, content: object): void {
  const old = statSync(path, { throwIfNoEntry: false });
  const target = old ? realpathSync(path) : path;
  const draft = `${target}.${process.pid}.new`;
  rmSync(draft, { force: true });
  try {
    const text = `${JSON.stringify(content, null, 2)}\n`;
    writeFileSync(draft, text, { mode: 0o600, flag: 'wx' });
    if (old) giveTo(old, draft, path);
    renameSync(draft, target);
  } catch (cause) {
    rmSync(draft, { force: true });
    throw cause;
  }
}

/** Gives the draft the owner, the group and the permissions of the old file: a running server must be able to read it. */
function giveTo(old: Stats, draft: string, path: string): void {
  try {
    giveOwner(old, draft);
    chmodSync(draft, old.mode & 0o777);
  } catch (cause) {
    throw new Error(
      `${path} is unchanged, because it belongs to another user or group: run the command as its owner`,
      {
        cause,
      },
    );
  }
}

function giveOwner({ uid, gid, mode }: Stats, draft: string): void {
  const made = statSync(draft);
  if (made.uid === uid && made.gid === gid) return;
  try {
    chownSync(draft, uid, gid);
  } catch (cause) {
    // The group of a file that only its owner can use has no effect, and the owner may be unable to set it.
    const isPrivate = (mode & 0o077) === 0;
    if (made.uid !== uid || !isPrivate) throw cause;
  }
}

export function isKeyName(name: string): boolean {
  return NAME.test(name);
}

function readEntry(entry: unknown, index: number): KeyEntry {
  if (!isObject(entry)) throw new Error(`key ${index + 1} is not an object`);
  const { name, hash: digest, expires, ...grants } = entry;
  if (typeof name !== 'string' || !isKeyName(name)) {
    throw new Error(`key ${index + 1} needs a name of letters, digits, '.', '_' and '-'`);
  }
  const fail = (why: string) => new Error(`key '${name}': ${why}`);
  if (typeof digest !== 'string' || !HASH.test(digest)) throw fail('the hash is not a SHA-256');
  if (expires !== undefined && (typeof expires !== 'string' || Number.isNaN(timeOf(expires)))) {
    throw fail('"expires" is not ISO 8601');
  }
  try {
    const own = readGrants(grants);
    return { name, hash: digest, ...(expires !== undefined && { expires }), ...own };
  } catch (cause) {
    throw fail(messageOf(cause));
  }
}

/**
 * The time of an instant or a day in ISO 8601, in milliseconds since 1970; NaN if there is none. Without an
 * offset, it is in UTC.
 */
export function timeOf(value: string): number {
  const match = INSTANT.exec(value);
  if (!match) return Number.NaN;
  const [, time, offset] = match;
  const day = value.slice(0, 'YYYY-MM-DD'.length);
  const dayTime = Date.parse(day);
  if (Number.isNaN(dayTime)) return Number.NaN;
  // The 30th of February would be read as a day in March.
  if (!new Date(dayTime).toISOString().startsWith(day)) return Number.NaN;
  return Date.parse(time !== undefined && offset === undefined ? `${value}Z` : value);
}
