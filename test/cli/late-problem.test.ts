/** `rowgate query` tells the error that ends an answer from rows whose only column is called `error`. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../support/program.js';

/** A problem of a gateway that was stored in the column `error`. */
const stored = { detail: 'The queue was full.', type: 'urn:rowgate:problem:queue-full' };
let rows: readonly unknown[] = [];
const gateway = createServer((_request, response) => {
  response.end(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
});
let base: string;
beforeAll(async () => {
  await once(gateway.listen(0, '127.0.0.1'), 'listening');
  base = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`;
});
afterAll(() => void gateway.close());

const queryAs = (format: string) =>
  runCommand(['query', 'Logs.map(p=>p.error)', '--url', base, '--format', format]);

const formats = ['table', 'ndjson'];

test.each(formats)('as %s, rows with a detail are rows, also the last one', async (format) => {
  rows = [{ error: stored }, { error: null }, { error: { detail: 'Disk full.' } }];
  const { code, stdout, stderr } = await queryAs(format);
  expect([code, stderr]).toEqual([0, '']);
  const texts = [stored.detail, 'null', 'Disk full.'];
  expect(texts.filter((text) => !stdout.includes(text))).toEqual([]);
});

test.each(formats)(
  'as %s, a problem in the last line is the error of the query',
  async (format) => {
    rows = [{ error: stored }, { error: { ...stored, detail: 'It took too long.' } }];
    const { code, stdout, stderr } = await queryAs(format);
    expect([code, stderr]).toEqual([1, 'rowgate: It took too long.\n']);
    expect(stdout).toContain(stored.detail);
  },
);
