/** `rowgate keys`: adds, lists and revokes the API keys of a file. */
import { existsSync, realpathSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { takeLock } from '../embedded/owner-lock.js';
import { readGrants } from '../gateway/access/grants.js';
import {
  digestOf,
  isKeyName,
  type KeyEntry,
  makeKey,
  readKeys,
  timeOf,
  writePrivately,
} from '../gateway/access/keys-file.js';
import { UsageError } from './arguments.js';
import type { Command, CommandCall } from './command.js';
import { checkKeyNames, keyTable } from './describe-keys.js';

export const keys: Command = {
  positionals: ['ACTION', '[NAME]'],
  flags: {
    stages: ['A,B', 'the only stages of the key'],
    view: ['NAME', 'the only view of the key'],
    entities: ['LIST', 'what it may do with which entities'],
    allow: ['LIST', 'the other endpoints that it may use'],
    rate: ['N', 'requests per second'],
    limits: [
      'PAIRS',
      'the most rows, milliseconds and unanswered requests: rows=1000,timeMs=2000,requests=4',
    ],
    settings: ['LIST', 'settings of PostgreSQL for its requests'],
    expires: ['90d', 'when it expires: after a duration, or at a time'],
    'read-only': 'refuses writes',
  },
  options: ['Schema and databases', 'Access'],
  examples: [
    'keys add web --keys-file keys.json --stages default --read-only',
    'keys add job --keys-file keys.json --entities "Orders:select+insert,*:select" --expires 90d',
    'keys list --keys-file keys.json',
  ],
  run: async (call) => {
    const [name = ''] = call.arguments.positionals;
    const action = actions.get(name);
    if (!action) throw new UsageError(`keys takes add, list or revoke, not '${name}'.`);
    const { keysFile } = call.configuration;
    if (keysFile === undefined) throw new UsageError('keys needs the file of keys: --keys-file.');
    await action(call, keysFile);
    return 0;
  },
};

type Action = (call: CommandCall, file: string) => void | Promise<void>;

const actions: ReadonlyMap<string, Action> = new Map([
  ['add', addKey],
  ['list', listKeys],
  ['revoke', revokeKey],
]);

async function addKey(call: CommandCall, file: string): Promise<void> {
  const name = nameOf(call);
  if (!isKeyName(name)) {
    throw new UsageError(`'${name}' cannot be a name: use letters, digits, '.', '_' and '-'.`);
  }
  const key = makeKey();
  const expires = expiryOf(call.arguments.values.get('expires'));
  const own = { name, hash: digestOf(key), ...(expires !== undefined && { expires }) };
  const entry = { ...own, ...grantsOf(call) };
  await checkKeyNames(call, entry);
  await changeKeys(file, (known) => {
    if (known.every((each) => each.name !== name)) return [...known, entry];
    throw new Error(`There is a key '${name}' already: revoke it, or choose another name.`);
  });
  call.terminal.report(`The key '${name}' is shown only now, and is not stored:`);
  call.terminal.print(key);
}

function listKeys(call: CommandCall, file: string): void {
  for (const line of keyTable(readKeys(file))) call.terminal.print(line);
}

async function revokeKey(call: CommandCall, file: string): Promise<void> {
  const name = nameOf(call);
  await changeKeys(file, (known) => {
    const left = known.filter((entry) => entry.name !== name);
    if (left.length < known.length) return left;
    throw new Error(`There is no key '${name}'.`);
  });
  call.terminal.report(`The key '${name}' is revoked.`);
}

/** How long a change waits for others, in milliseconds. */
const WAIT_MS = 5000;
const LOCK_POLL_MS = 10;

/** Replaces the keys in the file by those that `change` returns. Changes at the same time wait for each other. */
async function changeKeys(
  file: string,
  change: (known: readonly KeyEntry[]) => readonly KeyEntry[],
): Promise<void> {
  // A file has one lock, whichever symbolic link names it.
  const path = existsSync(file) ? realpathSync(file) : file;
  const deadline = performance.now() + WAIT_MS;
  let lock = takeLock(`${path}.lock`);
  const first = typeof lock === 'string' ? lock : undefined;
  while (typeof lock === 'string') {
    const isLate = performance.now() > deadline;
    await sleep(LOCK_POLL_MS);
    // A change takes milliseconds: one in another container that has lasted for so long was killed.
    lock = takeLock(`${path}.lock`, isLate ? first : undefined);
    if (isLate && typeof lock === 'string') throw new Error(`Another command is changing ${path}.`);
  }
  try {
    writePrivately(path, { keys: change(existsSync(path) ? readKeys(path) : []) });
  } finally {
    lock();
  }
}

function nameOf({ arguments: { positionals } }: CommandCall): string {
  const [, name] = positionals;
  if (name === undefined) throw new UsageError('The argument NAME is missing.');
  return name;
}

function grantsOf({ arguments: { values, switches } }: CommandCall): Partial<KeyEntry> {
  const listed = (flag: string) => values.get(flag)?.split(',');
  const given = {
    stages: listed('stages'),
    view: values.get('view'),
    readOnly: switches.has('read-only') || undefined,
    entities: entitiesOf(listed('entities')),
    allow: listed('allow'),
    settings: pairsOf(listed('settings')),
    limits: limitsOf(listed('limits')),
    rate: values.has('rate') ? Number(values.get('rate')) : undefined,
  };
  const present = Object.entries(given).filter(([, value]) => value !== undefined);
  try {
    return readGrants(Object.fromEntries(present));
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? `${cause.message}.` : String(cause));
  }
}

/** Parses `Orders:select+insert`. */
function entitiesOf(items: readonly string[] | undefined): object | undefined {
  if (!items) return undefined;
  const entries = items.map((item): [string, readonly string[]] => {
    const [entity = '', verbs = '', more] = item.split(':');
    if (entity === '' || more !== undefined) {
      throw new UsageError(`--entities takes Orders:select+insert, not '${item}'.`);
    }
    return [entity, verbs === '' ? [] : verbs.split('+')];
  });
  const names = new Set(entries.map(([entity]) => entity));
  if (names.size < entries.length) throw new UsageError('--entities names an entity twice.');
  return Object.fromEntries(entries);
}

/** Parses `app.tenant=7`. */
function pairsOf(
  items: readonly string[] | undefined,
): Readonly<Record<string, string>> | undefined {
  const pairs = items?.map((item): [string, string] => {
    const [name = '', ...value] = item.split('=');
    return [name, value.join('=')];
  });
  return pairs && Object.fromEntries(pairs);
}

/** Parses `rows=1000`. */
function limitsOf(items: readonly string[] | undefined): object | undefined {
  const pairs = pairsOf(items);
  if (!pairs) return undefined;
  return Object.fromEntries(Object.entries(pairs).map(([name, text]) => [name, Number(text)]));
}

const UNITS_MS: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** Later years have more than four digits. */
const EXPIRES_MAX = Date.parse('9999-12-31T23:59:59Z');

/** Parses `90d`, or an ISO 8601 instant. */
function expiryOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const [, count, unit = ''] = /^(\d{1,6})([hdw])$/.exec(text) ?? [];
  const time =
    count === undefined ? timeOf(text) : Date.now() + Number(count) * (UNITS_MS[unit] ?? 0);
  if (time <= EXPIRES_MAX) return new Date(time).toISOString();
  throw new UsageError(`--expires takes 90d, 12h, 4w or an ISO 8601 date or time, not '${text}'.`);
}
