/** The output of commands for people: help, tables, colours, progress, and errors of the output. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { makeTemporaryDirectory } from '../support/embedded.js';
import { helpOf } from '../support/help.js';
import { type Program, runCommand } from '../support/program.js';
import { type SampleServer, startSampleServer } from '../support/sample-program.js';

const rowgate = fileURLToPath(new URL('../../dist/program/rowgate.js', import.meta.url));
let server: SampleServer;
let program: Program;
let base: string;
beforeAll(async () => {
  server = await startSampleServer();
  program = await server.start(['--workers', '1']);
  ({ base } = program);
});
afterAll(async () => {
  await program.stop();
  await server.stop();
});

const run = promisify(execFile);

/** Runs a line of the shell, in which `rowgate` is the program. */
async function shell(line: string, environment: Readonly<Record<string, string>> = {}) {
  const { PATH = '', HOME = '' } = process.env;
  const script = `rowgate() { "${process.execPath}" "${rowgate}" "$@"; }; ${line}`;
  const ended = run('/bin/bash', ['-c', script], { env: { PATH, HOME, ...environment } });
  return ended.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
      code,
      stdout,
      stderr,
    }),
  );
}

describe('help', () => {
  test('of a command has its own flags, its options in groups, and examples', async () => {
    const { code, stdout } = await runCommand(['query', '--help']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Usage: rowgate query EXPRESSION \[FLAG …\]\n/);
    expect(stdout).toMatch(/\n {2}--data JSON +the values of the parameters/);
    expect(stdout).toMatch(/\nSchema and databases:\n {2}--schema /);
    expect(stdout).toMatch(/\nExamples:\n {2}rowgate query /);
    expect(stdout).not.toMatch(/--port|--jwt-issuer|--dry-run/);
  });

  test('of each command explains each of its flags', async () => {
    const { stdout } = await runCommand(['--help']);
    const commands =
      stdout
        .split('Commands:\n')[1]
        ?.split('\n\n')[0]
        ?.match(/^ {2}\w+/gm) ?? [];
    expect(commands.length).toBeGreaterThan(10);
    for (const command of commands) {
      const [, flags = ''] = /\nFlags:\n((?: .*\n)+)/.exec(await helpOf(command.trim())) ?? [];
      for (const line of flags.trimEnd().split('\n').filter(Boolean)) {
        expect([command, line]).toEqual([command, expect.stringMatching(/^ {2}--[\w-]+.* {2,}\S/)]);
      }
    }
  });
});

describe('rows', () => {
  const query = ['query', 'Shippers.filter(p=>p.id<3).sort(p=>p.id)', '--url'];

  test('are not written to a file as a table', async () => {
    const words = [...query, base, '--format', 'table', '--output', 'rows.txt'];
    const { code, stderr } = await runCommand(words);
    expect([code, stderr]).toEqual([2, expect.stringContaining('--output takes json')]);
  });

  test('are a table on demand, with numbers on the right', async () => {
    const { stdout } = await runCommand([...query, base, '--format', 'table']);
    expect(stdout).toBe(
      [
        'id  name                phone',
        '──  ──────────────────  ───────────────',
        ' 1  Swift Parcel        (503) 555-0142',
        ' 2  Überland Spedition  +49 40 5550188',
        '2 rows',
        '',
      ]
        .join('\n')
        .replace('  ───────────────\n', '  ──────────────\n'),
    );
  });

  test('keep all digits, and are one line each', async () => {
    const text = String.raw`Shippers.take(1).map(p=>({big: 1234567890123456789, text: "a\nb\u001b[31m"}))`;
    const { stdout } = await runCommand(['query', text, '--url', base, '--format', 'table']);
    expect(stdout.split('\n').slice(2, 4)).toEqual([
      String.raw`1234567890123456789  a\nb\u001b[31m`,
      '1 row',
    ]);
  });

  test.each([
    [
      'csv',
      'id,name,phone\r\n1,Swift Parcel,(503) 555-0142\r\n2,Überland Spedition,+49 40 5550188\r\n',
    ],
    [
      'ndjson',
      '{"id":1,"name":"Swift Parcel","phone":"(503) 555-0142"}\n' +
        '{"id":2,"name":"Überland Spedition","phone":"+49 40 5550188"}\n',
    ],
  ])('are %s on demand, without an empty line at the end', async (format, text) => {
    const { stdout } = await runCommand([...query, base, '--format', format]);
    expect(stdout).toBe(text);
  });

  test('are a table on a terminal, with colours unless NO_COLOR is set', async () => {
    const line = `"${process.execPath}" "${rowgate}" query 'Shippers.count()' --url ${base}`;
    const onTerminal = (environment: Readonly<Record<string, string>>) =>
      shell(`script -qec '${line.replaceAll("'", `'\\''`)}' /dev/null`, {
        TERM: 'xterm',
        ...environment,
      });
    const colored = await onTerminal({});
    expect(colored.stdout).toContain('\u001b[1mcount\u001b[22m');
    const plain = await onTerminal({ NO_COLOR: '1' });
    expect(plain.stdout.replaceAll('\r', '')).toBe('count\n─────\n    4\n1 row\n');
  });
});

describe('an output', () => {
  test('that is closed is an error of one line', async () => {
    const line = `rowgate query 'Orders.include(p=>p.details)' --url ${base} | head -1; exit \${PIPESTATUS[0]}`;
    expect(await shell(line)).toEqual({
      code: 1,
      stdout: '[\n',
      stderr: 'rowgate: The output was closed before it was complete.\n',
    });
  });

  test.each(['query Shippers', 'export'])(
    'that is full is an error of one line: %s',
    async (words) => {
      const { code, stderr } = await shell(`rowgate ${words} --url ${base} > /dev/full`);
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(/^rowgate: The output cannot be written: ENOSPC.*\n$/),
      ]);
    },
  );

  test('is a file that gets its name when it is complete', async () => {
    const folder = makeTemporaryDirectory();
    const file = join(folder, 'rows.json');
    writeFileSync(file, 'old', { mode: 0o600 });
    const cut = await cutServer();
    const failed = await runCommand(['export', file, '--stage', 'default', '--url', cut]);
    expect([failed.code, failed.stderr]).toEqual([
      1,
      'rowgate: The answer was cut off before its end: the log of the gateway says why.\n',
    ]);
    expect([readFileSync(file, 'utf8'), readdirSync(folder)]).toEqual(['old', ['rows.json']]);
    const { code, stderr } = await runCommand([
      ...['export', '--output', file, '--url', base, '--progress'],
    ]);
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^[\d,]+ bytes\n$/)]);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toHaveProperty('entities');
    expect(readdirSync(folder)).toEqual(['rows.json']);
  });

  test('keeps its old rows if the last line of the new ones is an error', async () => {
    const folder = makeTemporaryDirectory();
    const file = join(folder, 'rows.ndjson');
    writeFileSync(file, 'old');
    const error = '{"error":{"type":"urn:rowgate:problem:timeout","detail":"It took too long."}}\n';
    const failing = await serve((_request, response) => response.end(`{"id":1}\n${error}`));
    const words = ['query', 'Shippers', '--url', failing, '--format', 'ndjson'];
    const saved = await runCommand([...words, '--output', file]);
    expect([saved.code, saved.stderr]).toEqual([1, 'rowgate: It took too long.\n']);
    expect([readFileSync(file, 'utf8'), readdirSync(folder)]).toEqual(['old', ['rows.ndjson']]);
    const printed = await runCommand(words);
    expect([printed.code, printed.stderr]).toEqual([1, 'rowgate: It took too long.\n']);
  });

  test('that cannot be written is an error of one line', async () => {
    const folder = makeTemporaryDirectory();
    mkdirSync(join(folder, 'sub'));
    for (const path of ['none/rows.json', 'sub']) {
      const file = join(folder, path);
      const { code, stderr } = await runCommand([
        'query',
        'Shippers',
        '--url',
        base,
        '--output',
        file,
      ]);
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(/^rowgate: The file .* cannot be written: .*\n$/),
      ]);
    }
    expect(readdirSync(folder)).toEqual(['sub']);
  });

  test('is written although a killed process with the same number has left its incomplete file', async () => {
    const folder = makeTemporaryDirectory();
    // The shell gives its number to the program.
    const line = `cd ${folder}; touch rows.json.$$.part; exec "${process.execPath}" "${rowgate}"`;
    const { code, stderr } = await shell(`${line} export rows.json --url ${base}`);
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(readFileSync(join(folder, 'rows.json'), 'utf8'))).toHaveProperty('entities');
  });

  test('that a signal ends leaves no file', async () => {
    const folder = makeTemporaryDirectory();
    const slow = await cutServer(false);
    const words = [
      rowgate,
      'export',
      join(folder, 'rows.json'),
      '--stage',
      'default',
      '--url',
      slow,
    ];
    const child = spawn(process.execPath, words, { stdio: 'ignore' });
    await expect.poll(() => readdirSync(folder)).toHaveLength(1);
    child.kill('SIGTERM');
    expect((await once(child, 'exit'))[0]).toBe(143);
    expect(readdirSync(folder)).toEqual([]);
  });
});

/** A gateway whose answers end early, or never. */
function cutServer(isCut = true): Promise<string> {
  return serve((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{"entities": [', () => isCut && response.destroy());
  });
}

/** The address of a server for this test. */
async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

describe('the console', () => {
  test('executes what is typed, over several lines, and exits with 1 after an error', async () => {
    const lines = String.raw`.data {"id": 2}\nShippers.filter(p=>\n p.id==id).map(p=>p.name)\n.plan Shippers\nShipers\n.nope\n`;
    const { code, stdout, stderr } = await shell(
      `printf '${lines}' | rowgate console --url ${base}`,
    );
    expect(code).toBe(1);
    expect(stdout).toMatch(/^name\n─+\nÜberland Spedition\n1 row\n\{\n {2}"entity": "Shippers"/);
    expect(stderr).toBe(
      "rowgate: 1:1: There is no entity 'Shipers'. Did you mean 'Shippers'?\n" +
        'rowgate: There is no command .nope: .help lists them.\n',
    );
    for (const word of ['exit', 'quit']) {
      const ended = await shell(`printf '${word}\nNope' | rowgate console --url ${base}`);
      expect(ended).toEqual({ code: 0, stdout: '', stderr: '' });
    }
    expect(
      (await shell(`printf '.entities\n.exit\nNope' | rowgate console --url ${base}`)).stdout,
    ).toContain('Orders.details\n');
  });

  test('reports a last query that is unfinished, and exits with 1', async () => {
    const line = `printf '.format json\nShippers.filter(p=>p.id==1' | rowgate console --url ${base}`;
    const { code, stdout, stderr } = await shell(line);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('The last query is unfinished');
    expect((await shell(`printf 'quit' | rowgate console --url ${base}`)).code).toBe(0);
  });

  test('sends the same query whether the lines end with CRLF or LF', async () => {
    const bodies: string[] = [];
    const asked = await serve((request, response) => {
      if (request.url === '/entities') response.end('[]');
      else void textOf(request).then((body) => bodies.push(body) && response.end());
    });
    for (const end of [String.raw`\r\n`, String.raw`\n`]) {
      const lines = ['Shippers.filter(p=>', ' p.id==2)', ''].join(end);
      const { code } = await shell(`printf '${lines}' | rowgate console --url ${asked}`);
      expect(code).toBe(0);
    }
    expect(bodies).toEqual([bodies[1], expect.stringContaining('Shippers.filter(p=>')]);
  });

  test('takes a line separator for a part of its line', async () => {
    const line = String.raw`printf 'Shippers.take(1).map(p=>({text: "a\342\200\250b"}))\n'`;
    const { code, stdout, stderr } = await shell(`${line} | rowgate console --url ${base}`);
    expect([code, stderr, stdout]).toEqual([
      0,
      '',
      `text\n────────\n${String.raw`a\u2028b`}\n1 row\n`,
    ]);
  });

  test('on a terminal ends without an error after Ctrl-C during a query', async () => {
    let asked: ServerResponse | undefined;
    const slow = await serve((request, response) => {
      if (request.url === '/entities') response.end('[]');
      else asked = response;
    });
    const line = `"${process.execPath}" "${rowgate}" console --url ${slow}`;
    const history = join(makeTemporaryDirectory(), 'history');
    const child = spawn('script', ['-qec', line, '/dev/null'], {
      env: { ...process.env, TERM: 'xterm', ROWGATE_HISTORY: history },
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    let shown = '';
    child.stdout.on('data', (bytes: Buffer) => (shown += bytes.toString()));
    await expect.poll(() => shown).toContain('rowgate> ');
    child.stdin.write('Shippers\r');
    await expect.poll(() => asked).toBeDefined();
    child.stdin.write('\u0003');
    // Only a terminal that the console has left shows control characters in this way.
    await expect.poll(() => child.stdin.write('\u0007') && shown).toContain('^G');
    asked?.end('{"id":1}\n');
    expect((await once(child, 'close'))[0]).toBe(0);
    expect(shown).toContain('1 row');
    expect(shown).not.toContain('ERR_USE_AFTER_CLOSE');
  });

  test('on a terminal completes names and keeps a history that only its user can read', async () => {
    const history = join(makeTemporaryDirectory(), 'history');
    const line = `"${process.execPath}" "${rowgate}" console --url ${base}`;
    const child = spawn('script', ['-qec', line, '/dev/null'], {
      env: { ...process.env, TERM: 'xterm', ROWGATE_HISTORY: history },
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    let shown = '';
    child.stdout.on('data', (bytes: Buffer) => (shown += bytes.toString()));
    await expect.poll(() => shown).toContain('rowgate> ');
    // A tab among other characters counts as pasted.
    for (const [keys, then] of [
      ['Shipp', 'Shipp'],
      ['\t', 'Shippers'],
      ['.co', 'Shippers.co'],
      ['\t', 'Shippers.count'],
      ['()\r', '1 row'],
    ] as const) {
      child.stdin.write(keys);
      await expect.poll(() => shown.replace(/\u001b\[\d*[A-Z]/g, '')).toContain(then);
    }
    child.stdin.write('.exit\r');
    await once(child, 'close');
    expect(shown).toContain('Shippers.count()');
    expect(readFileSync(history, 'utf8')).toBe('.exit\nShippers.count()\n');
  });
});

test('bench shows the rate and the distribution of latencies', async () => {
  const words = ['bench', base, 'Shippers.filter(p=>p.id==id)', '--data', '{"id": 1}'];
  const { code, stdout } = await runCommand([...words, '--duration', '1', '--clients', '2']);
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^requests {2}\d+ in [\d.]+ s, \d+ per second\nlatency {3}p50 [\d.]+ ms, p90 /,
  );
  expect(stdout).toContain('failed    0 without an answer, 0 refused\n');
  expect(stdout).toMatch(/^ +[\d.]+ ms +\d+ +[\d.]+ % █+$/m);
  const wrong = await runCommand(['bench', base, 'Nope']);
  expect([wrong.code, wrong.stderr]).toEqual([
    1,
    expect.stringMatching(/^rowgate: The query is refused: .*Nope.*\n$/),
  ]);
  expect((await runCommand(['bench', base, '--clients', '0'])).code).toBe(2);
});
