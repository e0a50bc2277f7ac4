/**
 * No output contains passwords, keys or the secret of tokens: no answer, no log line, no command's
 * output.
 */
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { digestOf, makeKey } from '../../src/gateway/access/keys-file.js';
import { ask, type CommandResult, post, type Program, runCommand } from '../support/program.js';
import { type SampleServer, startSampleServer } from '../support/sample-program.js';
import { wholeDocument } from '../views/narrow-schema.js';

const PASSWORD = 'planted-password-4711';
const SECRET = 'planted-secret-of-tokens-with-more-than-32-bytes';
const key = makeKey();
const [revoked, tenant] = [makeKey(), makeKey()];
const outputs: string[] = [];

let server: SampleServer;
let program: Program;
let environment: Readonly<Record<string, string>>;

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const signed = `${part({ alg: 'HS256' })}.${part({ sub: 'ada', exp: 4_000_000_000, rowgate: {} })}`;
const token = `${signed}.${createHmac('sha256', SECRET).update(signed).digest('base64url')}`;

beforeAll(async () => {
  server = await startSampleServer();
  const settings = { role: 'no_such_role', 'app.token': 'planted-setting' };
  const keys = [
    { name: 'one', hash: digestOf(key), allow: ['schema', 'metrics', 'export'] },
    { name: 'two', hash: digestOf(tenant), settings },
  ];
  environment = {
    DATABASE_URL: server.url.replace('@', `:${PASSWORD}@`),
    ROWGATE_KEYS_FILE: server.write('keys.json', JSON.stringify({ keys })),
    ROWGATE_JWT_KEY_FILE: server.write('secret', SECRET),
    ROWGATE_LOG_LEVEL: 'trace',
  };
  const flags = Object.entries(environment).flatMap(([name, value]) => {
    const flag = name.replace('ROWGATE_', '--').toLowerCase().replaceAll('_', '-');
    return name === 'DATABASE_URL' ? [] : [flag, value];
  });
  const document = wholeDocument('PostgreSQL', environment['DATABASE_URL']);
  program = await server.start([
    ...flags,
    ...['--workers', '1'],
    '--schema',
    server.write('schema.json', JSON.stringify(document)),
  ]);
});
afterAll(async () => {
  await program.stop();
  await server.stop();
});

function keep({ stdout, stderr }: CommandResult): void {
  outputs.push(stdout, stderr);
}

it('they are in no answer', async () => {
  const paths = ['/metrics', '/schema', '/mappings', '/sources', '/stages/default/export', '/none'];
  for (const sent of [key, revoked, token, tenant, '']) {
    const headers = { authorization: `Bearer ${sent}` };
    for (const path of paths) outputs.push((await ask(program, path, { headers })).text);
    for (const query of [
      'Orders.first()',
      'Orders.nothing',
      'Shippers.insert()',
      'Orders.count(',
    ]) {
      for (const path of ['/execute', '/plan', '/metadata']) {
        outputs.push((await post(program, path, { query }, headers)).text);
      }
    }
  }
  expect(outputs.join('\n')).toContain('Orders');
});

it('they are printed by no command', async () => {
  const words = [
    ['check'],
    ['keys', 'list'],
    ['check', '--schema', '/none'],
    ['serve', '--port', '-1'],
  ];
  for (const each of words) keep(await runCommand(each, environment));
  const client = { ROWGATE_KEY: key };
  keep(await runCommand(['query', 'Orders.nothing', '--url', program.base], client));
  keep(await runCommand(['query', 'Orders', '--url', 'http://127.0.0.1:1'], client));
  const unreachable = `postgresql://me:${PASSWORD}@127.0.0.1:1/none`;
  keep(await runCommand(['query', 'Orders'], { DATABASE_URL: unreachable }));
  keep(await runCommand(['check', '--connect'], { DATABASE_URL: unreachable }));
});

it('a command sends the key in ROWGATE_KEY', async () => {
  const words = ['query', 'Shippers.count()', '--compact', '--url', program.base];
  expect((await runCommand(words, { ROWGATE_KEY: key })).stdout).toMatch(/"count":/);
  const without = await runCommand(words);
  expect([without.code, without.stderr]).toEqual([
    1,
    expect.stringMatching(/needs a key .* ROWGATE_KEY\.\n$/),
  ]);
  const file = server.write('export.json', '');
  const exported = await runCommand(['export', file, '--url', program.base], { ROWGATE_KEY: key });
  expect(exported.code).toBe(0);
  // It lacks the permissions for these, so it was recognized.
  for (const own of [
    ['plan', 'Orders', '--url', program.base],
    ['import', file, '--url', program.base],
  ]) {
    expect((await runCommand(own)).stderr).toContain('needs a key');
    const { stderr } = await runCommand(own, { ROWGATE_KEY: key });
    expect(stderr).not.toContain('needs a key');
  }
});

it('nor are they in the log', () => {
  outputs.push(JSON.stringify(program.log));
  expect(JSON.stringify(program.log)).toContain('key:one');
  const all = outputs.join('\n');
  const secrets = { PASSWORD, SECRET, key, revoked, tenant, token, hash: digestOf(key) };
  expect(Object.entries(secrets).filter(([, secret]) => all.includes(secret))).toEqual([]);
});
