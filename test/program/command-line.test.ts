/** The commands of `rowgate`: their output and their exit codes. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createThrowawayDatabase, withClient } from '../support/embedded.js';
import { post, type Program, runCommand, startProgram } from '../support/program.js';
import { connectionUrl, sampleRows } from '../support/sample.js';
import { type SampleServer, startSampleServer } from '../support/sample-program.js';

let server: SampleServer;
let environment: Readonly<Record<string, string>>;
let program: Program;
beforeAll(async () => {
  server = await startSampleServer();
  environment = { DATABASE_URL: server.url };
  program = await server.start(['--workers', '1']);
});
afterAll(async () => {
  await program.stop();
  await server.stop();
});

/** On a busy machine, programs start slowly. */
const timeout = 90_000;

describe.concurrent('rowgate', { timeout }, () => {
  test('prints its commands and options', async ({ expect }) => {
    const help = await runCommand(['--help']);
    expect([help.code, help.stderr]).toEqual([0, '']);
    const commands = 'serve push drop check plan query import export introspect'.split(' ');
    for (const command of commands) {
      expect(help.stdout).toMatch(new RegExp(`^  ${command} `, 'm'));
    }
    expect(help.stdout).toMatch(
      /^ {2}--statement-timeout-ms .*\[30000 ms\] ROWGATE_STATEMENT_TIMEOUT_MS$/m,
    );
    expect((await runCommand(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test('takes the first argument by its name, too', async ({ expect }) => {
    const plan = await runCommand(['plan', 'Orders.map(p=>p.id)']);
    expect(plan.code).toBe(0);
    expect(await runCommand(['plan', '--expression', 'Orders.map(p=>p.id)'])).toEqual(plan);
  });

  test.each([
    [['nope'], "There is no command 'nope'."],
    [['qurey'], "There is no command 'qurey'. Did you mean 'query'?"],
    [['query'], 'The argument EXPRESSION is missing.'],
    [['query', 'a', 'b'], "The argument 'b' is not expected here."],
    [
      ['check', 'shop.yaml'],
      "The argument 'shop.yaml' is not expected here. Write --schema shop.yaml.",
    ],
    [['export', 'a.json', '--output', 'b.json'], 'The file is given twice'],
    [['serve', '--nope', '1'], 'unknown flag --nope'],
    [['check', '--scheme', 'x'], "unknown flag --scheme. Did you mean '--schema'?"],
    [['introspect', 'u', '--schema', 'x'], "unknown flag --schema. Did you mean '--schemas'?"],
    [['slim', 'x', '--port', '1'], 'unknown flag --port.'],
    [['serve', '--port'], '--port takes a value.'],
    [['query', 'Q', '--data'], '--data takes a value.'],
    [['check', '--bogus'], 'unknown flag --bogus.'],
    [['query', '--bogus', 'Q'], 'unknown flag --bogus.'],
    [['serve', '--strict=maybe'], '--strict: expected on or off, got "maybe"'],
    [['check', '--connect='], '--connect: expected on or off, got ""'],
    [['serve', '--port', 'x'], '--port: '],
    [['serve', '--port', '70000'], '--port: '],
    [['serve', '--workers', '0'], '--workers: '],
  ])('exits with 2 for %j', async (words, message) => {
    const { code, stdout, stderr } = await runCommand(words);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
    expect(stderr).toMatch(/ See rowgate (\w+ )?--help\.\n$/);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  test('checks the sample, and shows the configuration without its secrets', async ({ expect }) => {
    const secret = { DATABASE_URL: 'postgresql://me:secret@db:5432/x', ROWGATE_PORT: '7' };
    const { code, stdout } = await runCommand(
      ['check', '--workers', '3', '--jwt-jwks-url', 'https://me:secret@id.example/keys'],
      secret,
    );
    expect(code).toBe(0);
    expect(stdout).toMatch(/ is valid\.\nversion 1\.0\.0\nentities Categories, /);
    expect(stdout).toContain(
      'source default: PostgreSQL, mapping default, postgresql://me:***@db:5432/x\n',
    );
    expect(stdout).toContain('--port 7 (ROWGATE_PORT)\n');
    expect(stdout).toContain('--workers 3 (ROWGATE_WORKERS)\n');
    expect(stdout).toContain('--jwt-jwks-url https://me:***@id.example/keys (');
    expect(stdout).not.toContain('secret');
  });

  test('refuses the address of a database for that of a gateway, without showing it', async ({
    expect,
  }) => {
    for (const address of ['mysql://me:secret@db/x', 'http://me:secret@db', 'secret']) {
      const { code, stdout, stderr } = await runCommand(['query', 'A', '--url', address]);
      expect(code).toBe(2);
      expect(stderr).toContain('--url takes ');
      expect(stdout + stderr).not.toContain('secret');
    }
  });

  test('prefers a flag to a variable', async ({ expect }) => {
    const { stdout } = await runCommand(['check', '--port', '9'], { ROWGATE_PORT: '7' });
    expect(stdout).toContain('--port 9 (ROWGATE_PORT)\n');
  });

  test('prints the place of every error in a file, and exits with 1', async ({ expect }) => {
    const path = server.write(
      'faulty.yaml',
      'domain:\n  entities:\n  - name: A\n    primarykey: [id]\n',
    );
    const { code, stdout } = await runCommand(['check', '--schema', path]);
    expect(code).toBe(1);
    expect(stdout).toContain(`${path}:4:5: domain.entities[0].primarykey: `);
    expect(stdout).toContain("Did you mean 'primaryKey'?");
    expect(stdout).not.toContain('--port');
    const serve = await runCommand(['serve', '--port', '0', '--schema', path]);
    expect(serve.code).toBe(1);
    expect(serve.stderr).toContain(`${path}:4:5: domain.entities[0].primarykey: `);
  });

  test('refuses an address of another dialect than the source of the schema file', async ({
    expect,
  }) => {
    const path = server.write('no-sources.yaml', 'domain:\n  entities: []\n');
    const url = 'mysql://me@127.0.0.1:1/shop';
    const { code, stderr } = await runCommand(['serve', '--schema', path, '--url', url]);
    expect(code).toBe(1);
    expect(stderr).toContain("not one of PostgreSQL, the dialect of source 'default'");
  });

  test('warns if HOST opens it to other machines, and starts', async ({ expect }) => {
    const opened = await startProgram(['--workers', '1'], { ...environment, HOST: '0.0.0.0' });
    const query = 'Shippers.count()';
    expect((await post(opened, '/execute', { query })).json()).toEqual([{ count: 4 }]);
    expect(opened.log).toContainEqual(
      expect.objectContaining({ event: 'open-to-all', level: 40, host: '0.0.0.0' }),
    );
    expect(await opened.stop()).toBe(0);
  });

  test.each([
    [[], 0],
    [['--compact'], 1],
    [['--compact=on'], 1],
    [['--compact=1'], 1],
    [['--compact=off'], 0],
    [['--compact=FALSE'], 0],
    [['--compact', '--compact=off'], 0],
  ])('turns a switch on or off by its value: %j', async (flags, lines) => {
    const { code, stdout } = await runCommand(['plan', 'Shippers', ...flags]);
    expect([code, stdout.trim().split('\n').length === 1]).toEqual([0, lines === 1]);
  });

  test('prints a plan without a database, for the first stage if none is named default', async ({
    expect,
  }) => {
    const properties = [{ name: 'name' }];
    const path = server.write(
      'staged.json',
      JSON.stringify({
        domain: { version: '1.0.0', entities: [{ name: 'Cities', properties }] },
        infrastructure: {
          sources: [{ name: 'main', dialect: 'PostgreSQL', connection: '' }],
          stages: [{ name: 'first', sources: [{ name: 'main' }] }],
        },
      }),
    );
    const { code, stdout } = await runCommand(['plan', 'Cities', '--schema', path, '--compact']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ entity: 'Cities', source: 'main' });
  });

  test('prints the plan of an expression', async ({ expect }) => {
    const { code, stdout } = await runCommand(['plan', 'Shippers.map(p=>p.name)'], environment);
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      {
        entity: 'Shippers',
        dialect: 'PostgreSQL',
        source: 'default',
        sentence: 'SELECT s.CompanyName AS "name" FROM Shippers s',
      },
    ]);
  });

  test('prints the rows of an expression', async ({ expect }) => {
    const words = ['query', 'Shippers.filter(p=>p.id==id)', '--data', '{"id":3}'];
    const { code, stdout } = await runCommand(words, environment);
    const rows = [sampleRows('Shippers')[2]];
    expect([code, stdout]).toEqual([0, `${JSON.stringify(rows, null, 2)}\n`]);
  });

  test('starts its own gateway, wherever a server is configured to listen', async ({ expect }) => {
    const ofServer = {
      ROWGATE_SOCKET: '/nowhere/socket',
      ROWGATE_TLS_CERT: '/nowhere/certificate',
      ROWGATE_DRAIN_DELAY_MS: '60000',
    };
    const words = ['query', 'Shippers.count()', '--compact'];
    const { code, stdout } = await runCommand(words, { ...environment, ...ofServer });
    expect([code, stdout]).toEqual([0, '[{"count":4}]\n']);
  });

  test('queries a running gateway, and prints its answer in compact form', async ({ expect }) => {
    const words = ['query', 'Shippers.count()', '--compact', '--url', `${program.base}/`];
    expect((await runCommand(words)).stdout).toBe('[{"count":4}]\n');
  });

  test('says how to trust a gateway whose certificate nobody else has issued', async ({
    expect,
  }) => {
    const pem = (kind: string) =>
      readFileSync(new URL(`../http/certificates/first.${kind}`, import.meta.url));
    const secure = createServer({ cert: pem('crt'), key: pem('key') });
    await once(secure.listen(0, '127.0.0.1'), 'listening');
    const { port } = secure.address() as AddressInfo;
    const url = `https://127.0.0.1:${port}`;
    const { code, stderr } = await runCommand(['query', 'Orders', '--url', url]);
    secure.close();
    expect([code, stderr]).toEqual([1, expect.stringContaining(' NODE_EXTRA_CA_CERTS.')]);
    expect(stderr).toContain(`${url} does not answer: `);
  });

  test('reports a file that it cannot read, and exits with 1', async ({ expect }) => {
    for (const [path, reason] of [
      ['nowhere.json', 'ENOENT'],
      [process.cwd(), 'it is a folder'],
    ] as const) {
      const { code, stderr } = await runCommand(['import', path]);
      expect(code).toBe(1);
      expect(stderr).toContain(`rowgate: The file ${path} cannot be read: ${reason}`);
    }
  });

  test('prints an error with its place and hint, and exits with 1', async ({ expect }) => {
    const words = ['query', 'Shipers', '--url', program.base];
    const { code, stdout, stderr } = await runCommand(words);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain("rowgate: 1:1: There is no entity 'Shipers'.");
    expect(stderr).toContain("Did you mean 'Shippers'?");
  });

  test('reports a port that is in use, and exits with 1', async ({ expect }) => {
    const words = ['serve', '--port', String(program.port)];
    const { code, stderr } = await runCommand(words, environment);
    expect(code).toBe(1);
    expect(stderr).toContain(`127.0.0.1:${program.port}`);
  });

  test('creates the missing tables once, and drops them again', async ({ expect }) => {
    const database = await createThrowawayDatabase();
    const own = { DATABASE_URL: connectionUrl(database.connection) };
    const tables = () =>
      withClient(database.connection, async (client) => {
        const text = "SELECT count(*)::int AS n FROM pg_tables WHERE schemaname = 'public'";
        return (await client.query(text)).rows[0].n;
      });
    const first = await runCommand(['push', '--dry-run'], own);
    expect(first.code).toBe(0);
    expect(first.stdout).toContain('CREATE TABLE Categories');
    expect(await tables()).toBe(0);
    expect((await runCommand(['push', '--dry-run'], own)).stdout).toBe(first.stdout);

    expect((await runCommand(['push'], own)).code).toBe(0);
    expect(await tables()).toBe(8);
    expect((await runCommand(['push'], own)).stdout).toBe('default: nothing to do\n');

    const drop = await runCommand(['drop', '--dry-run'], own);
    expect(drop.stdout).toMatch(/DROP TABLE /);
    expect(await tables()).toBe(8);
    const unasked = await runCommand(['drop'], own);
    expect([unasked.code, unasked.stderr]).toEqual([2, expect.stringContaining('pass --yes')]);
    expect(await tables()).toBe(8);
    expect((await runCommand(['drop', '--yes'], own)).code).toBe(0);
    expect(await tables()).toBe(0);
    await database.drop();
  });
});
