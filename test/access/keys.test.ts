/** API keys: the command that manages them, their file, and their use in requests. */
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { digestOf, makeKey } from '../../src/gateway/access/keys-file.js';
import { startOnFakeWorker, type StartedGateway } from '../http/start.js';
import { connectRaw } from '../http/raw-client.js';
import { makeTemporaryDirectory } from '../support/embedded.js';
import { describeServers } from '../support/http-servers.js';
import { callCommand } from '../support/call-command.js';
import { type CommandResult, runCommand } from '../support/program.js';

const folder = makeTemporaryDirectory();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let started: StartedGateway | undefined;
afterEach(async () => {
  await started?.gateway.close();
  started = undefined;
});

const WRONG_LIMITS = [
  ...[null, [], 'x', 5, true, { timeMs: 0 }, { requests: -1 }, { bytes: 5 }],
  ...[0, -1, 0.5, '5', null, 1e10, {}].map((rows) => ({ rows })),
];

let files = 0;
function newFile(content?: unknown): string {
  files += 1;
  const path = join(folder, `keys-${files}.json`);
  if (content !== undefined) writeFileSync(path, JSON.stringify(content));
  return path;
}

const entry = (key: string, grants: object = { allow: ['schema'] }) => {
  return { name: 'one', hash: digestOf(key), ...grants };
};

async function statusOf(key: string, path = '/entities'): Promise<number> {
  const headers = { authorization: `Bearer ${key}` };
  return (await fetch((started?.base ?? '') + path, { headers })).status;
}

describe('the command keys', () => {
  const file = newFile();
  const keys = (...words: string[]): Promise<CommandResult> =>
    callCommand(['keys', ...words], { ROWGATE_KEYS_FILE: file });

  it('refuses a new key that names what the schema does not have, and warns without a schema', async () => {
    const own = newFile();
    const add = (...words: string[]) => callCommand(['keys', 'add', ...words, '--keys-file', own]);
    const schema = [
      '--schema',
      fileURLToPath(new URL('../../schemas/northwind.yaml', import.meta.url)),
    ];
    const wrong = await add('a', '--view', 'nope', '--entities', 'Order:select', ...schema);
    expect([wrong.code, wrong.stdout]).toEqual([1, '']);
    expect(wrong.stderr).toContain("The key 'a' names the view 'nope', which does not exist.");
    expect(wrong.stderr).toContain(
      "the entity 'Order', which does not exist. Did you mean 'Orders'?",
    );
    expect(existsSync(own)).toBe(false);
    const right = await add('a', '--view', 'default', '--entities', '*:select', ...schema);
    expect([right.code, right.stderr]).toEqual([0, expect.not.stringContaining('compared')]);
    const unchecked = await add('b', '--view', 'nope');
    expect(unchecked.code).toBe(0);
    expect(unchecked.stderr).toContain('The names in the key were not compared with the schema');
    const unreadable = await add('c', '--view', 'nope', '--schema', 'none.yaml');
    expect(unreadable.code).toBe(0);
    expect(unreadable.stderr).toContain('The names in the key were not compared with the schema');
    expect((await add('d')).stderr).not.toContain('compared');
  });

  it('prints a new key once, and stores only its hash', async () => {
    const { code, stdout } = await keys(
      ...['add', 'shop', '--stages', 'default,other', '--view', 'clerk', '--read-only'],
      ...['--entities', 'Orders:select+insert,None:select,*:select'],
      ...['--allow', 'schema', '--rate', '5', '--settings', 'role=clerk,app.tenant=a=7'],
      ...['--expires', '90d', '--limits', 'rows=10,timeMs=500,requests=2'],
    );
    const key = stdout.trim();
    expect([code, key]).toEqual([0, expect.stringMatching(/^rowgate_[\w-]{43}$/)]);
    const text = readFileSync(file, 'utf8');
    expect(text).not.toContain(key);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const { keys: stored } = JSON.parse(text);
    expect(stored).toEqual([
      {
        name: 'shop',
        hash: digestOf(key),
        expires: expect.any(String),
        stages: ['default', 'other'],
        view: 'clerk',
        readOnly: true,
        entities: { Orders: ['select', 'insert'], None: ['select'], '*': ['select'] },
        allow: ['schema'],
        rate: 5,
        limits: { rows: 10, timeMs: 500, requests: 2 },
        settings: { role: 'clerk', 'app.tenant': 'a=7' },
      },
    ]);
    const days = (Date.parse(stored[0].expires) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(89.9);
    expect(days).toBeLessThan(90.1);
  });

  it('lists permissions without keys and hashes', async () => {
    await keys('add', 'all');
    await keys('add', 'old', '--expires', '2020-01-01');
    const { stdout } = await keys('list');
    expect(stdout).toMatch(
      /shop .* default,other +clerk +Orders:select,None:select,\*:select +queries,schema +5\/s +rows=10,timeMs=500,requests=2 +role=clerk,app.tenant=a=7/,
    );
    expect(stdout).toMatch(/all +never +all +any +\*:select\+insert\+update\+delete +queries +any/);
    expect(stdout).toMatch(/old +2020-01-01T00:00:00.000Z \(expired\)/);
    expect(stdout).not.toMatch(/[0-9a-f]{64}|rowgate_/);
    const checked = await runCommand(['check'], { ROWGATE_KEYS_FILE: file });
    expect(checked.code).toBe(1);
    expect(checked.stdout).toContain(stdout);
    for (const name of ["view 'clerk'", "stage 'other'", "entity 'None'"]) {
      expect(checked.stdout).toContain(`The key 'shop' names the ${name}, which does not exist.`);
    }
    await keys('revoke', 'shop');
    expect((await runCommand(['check'], { ROWGATE_KEYS_FILE: file })).code).toBe(0);
  });

  it.each([
    [['add', 'all'], 1, "There is a key 'all' already"],
    [['add', 'a b'], 2, "'a b' cannot be a name"],
    [['add'], 2, 'The argument NAME is missing'],
    [['add', 'x', '--expires', 'soon'], 2, '--expires takes'],
    [['add', 'x', '--expires', '2027-02-30'], 2, '--expires takes'],
    [['add', 'x', '--expires', '999999w'], 2, '--expires takes'],
    [['add', 'x', '--entities', 'Orders:select,Orders:insert'], 2, 'an entity twice'],
    [['add', 'x', '--entities', 'Orders:select:insert'], 2, '--entities takes'],
    [['add', 'x', '--allow', 'everything'], 2, "'allow' must be a list of schema"],
    [['add', 'x', '--entities', 'Orders:read'], 2, "'entities' must be"],
    [['add', 'x', '--rate', 'fast'], 2, "'rate' must be"],
    [['add', 'x', '--limits', 'row=5'], 2, "'limits' must be"],
    [['add', 'x', '--limits', 'rows=0'], 2, "'limits' must be"],
    [['add', 'x', '--settings', 'search_path=x'], 2, "'settings' must be"],
    [['revoke', 'nobody'], 1, "There is no key 'nobody'"],
    [['rotate'], 2, 'keys takes add, list or revoke'],
  ])('refuses %j', async (words, code, why) => {
    const result = await keys(...words);
    expect([result.code, result.stderr]).toEqual([code, expect.stringContaining(why)]);
  });
});

it('many commands at the same time change a file of keys one after the other', async () => {
  const file = newFile({ keys: [entry('x'), { ...entry('y'), name: 'revoked' }] });
  const keys = (...words: string[]) => runCommand(['keys', ...words], { ROWGATE_KEYS_FILE: file });
  const names = Array.from({ length: 6 }, (_, number) => `key-${number}`);
  const all = await Promise.all([
    keys('revoke', 'revoked'),
    ...names.map((name) => keys('add', name)),
  ]);
  expect(all.map(({ code }) => code)).toEqual(all.map(() => 0));
  const { keys: stored } = JSON.parse(readFileSync(file, 'utf8'));
  expect(stored.map(({ name }: { name: string }) => name).sort()).toEqual([...names, 'one']);
});

it.each(['', '1 1\nanother-boot pid:[1]\n'])(
  'a lock that a killed command has left does not prevent changes: %j',
  async (lock) => {
    const file = newFile({ keys: [entry('x')] });
    writeFileSync(`${file}.lock`, lock);
    const { code } = await runCommand(['keys', 'revoke', 'one'], { ROWGATE_KEYS_FILE: file });
    expect([code, existsSync(`${file}.lock`)]).toEqual([0, false]);
  },
);

it('a time without an offset is in UTC, wherever the program runs', async () => {
  const soon = new Date(Date.now() + 3_600_000).toISOString().slice(0, 19);
  const past = new Date(Date.now() - 3_600_000).toISOString().slice(0, 19);
  for (const TZ of ['America/New_York', 'Asia/Tokyo']) {
    const file = newFile({ keys: [entry('x', { expires: soon })] });
    const environment = { ROWGATE_KEYS_FILE: file, TZ };
    await runCommand(['keys', 'add', 'two', '--expires', past], environment);
    const { stdout } = await runCommand(['keys', 'list'], environment);
    expect(stdout).toContain(`${soon} `);
    expect(stdout).not.toContain(`${soon} (expired)`);
    expect(stdout).toContain(`${past}.000Z (expired)`);
  }
});

describe('a file of keys', () => {
  const hash = digestOf('x');

  it.each([
    ['not JSON', '{', /cannot be used/],
    ['without keys', '{}', /expected {"keys"/],
    ['with a key itself', JSON.stringify({ keys: [{ name: 'a', hash: 'x' }] }), /not a SHA-256/],
    ['with other members', { keys: [], key: [] }, /no member 'key'/],
    ['that is cut', '{"keys": [{"name": "a", "hash": "', /cannot be used/],
    ['that is empty', '', /cannot be used/],
    ['with a list of lists', { keys: [[]] }, /key 1 is not an object/],
    [
      'with the settings of the server',
      { keys: [{ name: 'a', hash, settings: { role: 1 } }] },
      /'settings' must be/,
    ],
    ['with an unknown permission', { keys: [{ name: 'a', hash, readonly: true }] }, /'readOnly'/],
    ['with a wrong permission', { keys: [{ name: 'a', hash, view: 5 }] }, /'view' must be/],
    ['with an invalid expiry date', { keys: [{ name: 'a', hash, expires: 'soon' }] }, /ISO 8601/],
    [
      'with a name twice',
      {
        keys: [
          { name: 'a', hash },
          { name: 'a', hash },
        ],
      },
      /the same name/,
    ],
  ])('%s prevents the start', async (_, content, why) => {
    const path = newFile();
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
    await expect(startOnFakeWorker('node', ['--keys-file', path])).rejects.toThrow(why);
  });

  it.each([
    ...['2027-02-30T00:00:00Z', '2027-02-29', '2027-13-01', '1 Jan 2027', '2027', ''].map(
      (expires) => ({ expires }),
    ),
    ...[0, 1e-7, Number.MIN_VALUE, -1, 2e6].map((rate) => ({ rate })),
    ...['2027-01-01Z', '2027-01-01T', '2027-01-01T25:00Z'].map((expires) => ({ expires })),
    ...WRONG_LIMITS.map((limits) => ({ limits })),
    ...['\ud800', 'a\u0000', 7, null].map((text) => ({ settings: { 'app.tenant': text } })),
  ])('with %j prevents the start', async (member) => {
    const path = newFile({ keys: [{ name: 'a', hash, ...member }] });
    const [name = ''] = Object.keys(member);
    const why = name === 'expires' ? /ISO 8601/ : new RegExp(`'${name}' must`);
    await expect(startOnFakeWorker('node', ['--keys-file', path])).rejects.toThrow(why);
  });
});

describeServers('a key, on %s,', (server) => {
  const start = async (content: unknown) => {
    const path = newFile(content);
    started = await startOnFakeWorker(server, ['--keys-file', path]);
    return path;
  };

  it('is accepted once it is in the file, and refused once it is revoked', async () => {
    const [first, second] = [makeKey(), makeKey()];
    const path = await start({ keys: [entry(first)] });
    expect([await statusOf(first), await statusOf(second)]).toEqual([200, 401]);
    writeFileSync(path, JSON.stringify({ keys: [entry(second)] }));
    await expect.poll(() => statusOf(second)).toBe(200);
    expect(await statusOf(first)).toBe(401);
    writeFileSync(path, '{"keys": [');
    const failed = () => started?.observations.some(({ kind }) => kind === 'keys-unreadable');
    await expect.poll(failed).toBe(true);
    expect(await statusOf(second)).toBe(200);
  });

  it('is accepted until it expires', async () => {
    const key = makeKey();
    const expires = new Date(Date.now() + 1500).toISOString();
    await start({ keys: [entry(key, { allow: ['schema'], expires })] });
    expect(await statusOf(key)).toBe(200);
    await expect.poll(() => statusOf(key)).toBe(401);
  });

  it('has its own rate limit', async () => {
    const [slow, free] = [makeKey(), makeKey()];
    const keys = [entry(slow, { allow: ['schema'], rate: 2 }), { ...entry(free), name: 'two' }];
    await start({ keys });
    const statuses: number[] = [];
    for (let times = 0; times < 4; times += 1) statuses.push(await statusOf(slow));
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0);
    expect(statuses[0]).toBe(200);
    expect(await statusOf(free)).toBe(200);
  });

  it('is refused unless the header contains exactly the key', async () => {
    const key = makeKey();
    await start({ keys: [entry(key)] });
    const headers = [
      ...['', 'Bearer', 'Bearer ', `Basic ${key}`, key, `Bearer ${key}x`, `Bearer ${key.slice(1)}`],
      ...[`Bearer x${key}`, `Bearer ${key} ${key}`, `Bearer,${key}`, `Bearer ${digestOf(key)}`],
      ...['Bearer __proto__', 'Bearer constructor', `Bearer ${key.toUpperCase()}`],
      `Bearer ${'a'.repeat(8000)}`,
    ];
    for (const authorization of headers) {
      const response = await fetch(`${started?.base}/entities`, { headers: { authorization } });
      expect([authorization.slice(0, 80), response.status]).toEqual([
        authorization.slice(0, 80),
        401,
      ]);
    }
    const lower = await fetch(`${started?.base}/entities`, {
      headers: { authorization: `bearer ${key}` },
    });
    expect(lower.status).toBe(200);
  });

  it('is read only from the first header', async () => {
    const key = makeKey();
    await start({ keys: [entry(key)] });
    const statusLine = async (...values: readonly string[]) => {
      const client = await connectRaw(started?.gateway.port ?? 0);
      const lines = values.map((value) => `authorization: ${value}\r\n`);
      client.send(`GET /entities HTTP/1.1\r\nhost: x\r\n${lines.join('')}\r\n`);
      const text = await client.until((received) => received.includes('\r\n'));
      client.end();
      return text.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length);
    };
    expect(await statusLine(`Bearer ${key}`)).toBe('200');
    expect(await statusLine('', `Bearer ${key}`)).toBe('401');
    expect(await statusLine('Bearer x', `Bearer ${key}`)).toBe('401');
  });

  it('shows the schema under the views of its stages, if all of them have one', async () => {
    const [one, both, all] = [makeKey(), makeKey(), makeKey()];
    const allow = ['schema'];
    await start({
      keys: [
        entry(one, { allow, stages: ['forced'] }),
        { ...entry(both, { allow, stages: ['forced', 'default'] }), name: 'both' },
        { ...entry(all), name: 'all' },
      ],
    });
    const paths = ['/entities/Orders.details', '/mappings/default/Orders.details'];
    for (const path of paths) {
      const asked = ['', '?view=narrow', '?view=default', '?view=none'].map((view) => path + view);
      const statuses = (key: string) => Promise.all(asked.map((each) => statusOf(key, each)));
      expect(await statuses(one)).toEqual([404, 404, 403, 403]);
      expect(await statuses(both)).toEqual([200, 404, 200, 404]);
      expect(await statuses(all)).toEqual([200, 404, 200, 404]);
    }
    const texts = [one, all].map(async (key) => {
      const headers = { authorization: `Bearer ${key}` };
      return (await fetch(`${started?.base}/schema`, { headers })).text();
    });
    const [seen, whole] = await Promise.all(texts);
    expect(whole).toContain('Orders.details');
    expect(seen).not.toContain('Orders.details');
    expect(seen).not.toContain('price');
  });

  it('has its requests and refusals counted', async () => {
    const key = makeKey();
    await start({ keys: [entry(key, { allow: ['metrics'] })] });
    expect([await statusOf(key), await statusOf('x'), await statusOf('y')]).toEqual([
      403, 401, 401,
    ]);
    const headers = { authorization: `Bearer ${key}` };
    const text = await (await fetch(`${started?.base}/metrics`, { headers })).text();
    expect(text).toContain('rowgate_principal_requests_total{principal="key:one"} 2\n');
    expect(text).toContain('rowgate_principal_refusals_total{principal="key:one"} 1\n');
    expect(text).toContain('rowgate_principal_refusals_total{principal="anonymous"} 2\n');
  });

  it('is not in the log, but its name is', async () => {
    const key = makeKey();
    await start({ keys: [entry(key)] });
    await statusOf(key);
    const observations = JSON.stringify(started?.observations);
    expect(observations).toContain('"principal":"key:one"');
    expect(observations).not.toContain(key);
    expect(observations).not.toContain(digestOf(key));
  });
});

describe('a server that other machines can reach', () => {
  it.each([
    [['--host', '0.0.0.0'], {}],
    [['--host=::'], {}],
    [[], { ROWGATE_HOST: '0.0.0.0' }],
    [['--host', '0.0.0.0'], { HOST: '127.0.0.1' }],
    [['--host', '0.0.0.0', '--queries-file', '/none'], {}],
  ])('does not start with %j and %j', async (flags, environment) => {
    const { code, stdout, stderr } = await runCommand(['serve', ...flags], environment);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('would let other machines read and write everything');
  });

  const warnings = () => started?.observations.filter(({ kind }) => kind === 'open-to-all').length;

  it('logs a warning, unless it needs keys or the warning is turned off', async () => {
    const keys = newFile({ keys: [] });
    for (const [flags, expected] of [
      [['--host', '0.0.0.0'], 1],
      [['--host', '::'], 1],
      [['--host', '0.0.0.0', '--insecure', 'on'], 0],
      [['--host', '0.0.0.0', '--keys-file', keys], 0],
      [['--host', '127.0.0.1'], 0],
      [['--host', 'localhost'], 0],
      [['--socket', join(folder, 'socket')], 0],
    ] as const) {
      started = await startOnFakeWorker('node', flags);
      expect([flags, warnings()]).toEqual([flags, expected]);
      await started.gateway.close();
    }
  });
});
