/** The built client outside Node.js: in Deno, in Chromium, and in a realm that has only the interfaces of the web. */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { createContext, runInContext } from 'node:vm';
import { build } from 'rolldown';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeInChromium, startBrowser } from '../console/support/browser.js';
import { makeTemporaryDirectory } from '../support/embedded.js';
import { findProgram } from '../support/find-program.js';
import { type Program, startProgram } from '../support/program.js';
import { type SampleServer, startSampleServer } from '../support/sample-program.js';

const built = fileURLToPath(new URL('../../clients/typescript/dist/', import.meta.url));
let sample: SampleServer;
let program: Program;
beforeAll(async () => {
  sample = await startSampleServer();
  program = await startProgram(['--workers', '1', '--cors-origins', '*'], {
    DATABASE_URL: sample.url,
  });
});
afterAll(async () => {
  await program.stop();
  await sample.stop();
});

/** A program that uses each kind of call. It has the client's exports as `client`, and the address as `url`. */
const use = `
  const { createClient, eq, lt } = client;
  const db = createClient({ url, batch: true });
  const named = (id) => db.Shippers.filter((s) => eq(s.id, id)).map((s) => s.name).first().run();
  const together = await Promise.all([named(1), named(2)]);
  const exact = createClient({ url, exact: true });
  const { id } = await exact.Products.filter((p) => eq(p.id, 2n)).map((p) => [p.id, p.price]).first().run();
  let streamed = 0;
  for await (const _ of db.Orders.map((o) => o.id).stream()) streamed += 1;
  const page = await db.Shippers.sort((s) => s.id).page(1, 2).answer({ count: true });
  const [updated] = await db.transaction([db.Shippers.filter((s) => lt(s.id, 3)).update({ phone: '1' })]);
  const code = await db.query('Nope').run().catch((error) => error.code);
  const controller = new AbortController();
  const aborted = db.Orders.run({ signal: controller.signal }).catch((error) => error.name);
  controller.abort();
  const write = db.Shippers.insert({ name: crypto.randomUUID() });
  const idempotencyKey = crypto.randomUUID();
  const first = await write.run({ idempotencyKey });
  const again = await write.run({ idempotencyKey });
  return [together.map((row) => row.name), typeof id, streamed, page.total, updated, code, await aborted,
    again.id === first.id, typeof page.requestId];
`;
const expected = [
  ['Swift Parcel', 'Überland Spedition'],
  'bigint',
  ...[900, expect.any(Number), 2, 'unknown-entity', 'AbortError', true, 'string'],
];

/** The interfaces of the web that Deno, browsers and other runtimes share. There is no `process` and no `Buffer`. */
const web = {
  ...{ fetch, Headers, URL, URLSearchParams, AbortController, AbortSignal, DOMException, crypto },
  ...{ TextDecoder, TextEncoder, ReadableStream, setTimeout, clearTimeout, queueMicrotask },
};

test('works where only interfaces of the web exist', async () => {
  const { output } = await build({
    input: join(built, 'index.js'),
    output: { format: 'iife', name: 'client' },
    write: false,
  });
  const context = createContext({ ...web, url: program.base });
  runInContext(output[0].code, context);
  const result: unknown = await runInContext(`(async () => {${use}})()`, context);
  expect(JSON.parse(JSON.stringify(result))).toEqual(expected);
  expect(runInContext('typeof process + typeof Buffer + typeof require', context)).toBe(
    'undefined'.repeat(3),
  );
});

const deno = findProgram('deno');
const reason = deno === undefined ? ': it is not installed (npm install --global deno)' : '';

describe.runIf(deno !== undefined)(`Deno${reason}`, () => {
  test('imports the built modules, and needs only the permission to reach the gateway', async () => {
    const folder = makeTemporaryDirectory();
    const file = join(folder, 'use.mjs');
    const library = pathToFileURL(join(built, 'index.js')).href;
    writeFileSync(
      file,
      `import * as client from '${library}';
      const url = '${program.base}';
      console.log(JSON.stringify([Deno.version.deno, await (async () => {${use}})()]));`,
    );
    const { PATH } = process.env;
    const { stdout } = await promisify(execFile)(
      deno ?? '',
      ['run', '--no-prompt', '--no-remote', `--allow-net=127.0.0.1:${program.port}`, file],
      { env: { PATH, HOME: folder, DENO_DIR: folder, DENO_NO_UPDATE_CHECK: '1' } },
    );
    expect(JSON.parse(stdout)).toEqual([expect.stringMatching(/^\d+\.\d+/), expected]);
  });
});

describeInChromium('a page in Chromium', () => {
  let files: Server;
  beforeAll(async () => {
    files = createServer(({ url = '/' }, response) => {
      const isModule = /^\/[\w-]+\.js$/.test(url);
      response.setHeader('content-type', isModule ? 'text/javascript' : 'text/html');
      response.end(
        isModule ? readFileSync(join(built, url)) : '<!doctype html><title>page</title>',
      );
    });
    await new Promise<void>((resolve) => void files.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => new Promise((resolve) => void files.close(resolve)));

  test('imports the built modules, and uses a gateway of another origin', async () => {
    const address = files.address();
    expect.assert(typeof address === 'object' && address !== null);
    const browser = await startBrowser();
    try {
      const { page, faults } = await browser.open(`http://127.0.0.1:${address.port}/`);
      const script = `(async () => { const client = await import('/index.js'); const url = '${program.base}'; ${use} })()`;
      expect(await page.evaluate(script)).toEqual(expected);
      expect(faults).toEqual([]);
    } finally {
      await browser.close();
    }
  });
});
