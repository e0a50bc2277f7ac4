/** Exact numbers with a simulated gateway: texts, models that have changed, and tokens that change. */
import { expect, test } from 'vitest';
import {
  AnswerError,
  type ClientOptions,
  createClient,
} from '../../clients/typescript/src/index.js';
import type { Domain } from './domain.js';
import { lines } from './simulated-gateway.js';

type Model = readonly { readonly name: string; readonly type: string }[];

/** A client whose gateway answers with a text. `models` are the answers of `/model`; the last one is repeated. */
function clientOf(models: readonly Model[], text: string, more: Partial<ClientOptions> = {}) {
  const asked: (string | null)[] = [];
  const db = createClient<Domain>({
    url: 'http://gateway',
    exact: true,
    fetch: (url, init) => {
      if (!String(url).endsWith('/model')) return Promise.resolve(new Response(text));
      asked.push(new Headers(init?.headers).get('authorization'));
      return Promise.resolve(Response.json(models[asked.length - 1] ?? models.at(-1)));
    },
    ...more,
  });
  return { db, asked, query: db.query<Readonly<Record<string, unknown>>>('Things') };
}

const old = [{ name: 'id', type: 'integer' }];
const digits = '12345678901234567890.5';

test('texts and names that begin with U+0000 are no numbers', async () => {
  const nul = String.raw`\u0000`;
  const text = `[{"id":1,"doc":["${nul}12","${nul}","${nul}${nul}1","a${nul}1",{"${nul}2":2},"${nul}\\" 3"]}]`;
  const { query, asked } = clientOf([[...old, { name: 'doc', type: 'json' }]], text);
  const doc = ['\u000012', '\u0000', '\u0000\u00001', 'a\u00001', { '\u00002': 2 }, '\u0000" 3'];
  expect(await query.run()).toEqual([{ id: 1n, doc }]);
  expect(asked).toHaveLength(1);
});

test('numbers are read beside texts of any length', async () => {
  const row = { id: 1, name: 'a "1"\n'.repeat(2_000_000) };
  const { query } = clientOf([[...old, { name: 'name', type: 'string' }]], JSON.stringify([row]));
  const [read] = await query.run();
  expect(read?.['id']).toBe(1n);
  expect(read?.['name'] === row.name).toBe(true);
});

const changes = [
  { what: 'a new decimal column', added: { name: 'price', type: 'decimal' }, value: digits },
  { what: 'a new list', added: { name: 'price', type: 'decimal[]' }, value: `[${digits}]` },
  { what: 'a column that is now a decimal', added: { name: 'id', type: 'decimal' }, value: '1.5' },
];

test.each(changes)('$what has exact numbers, also without a restart', async ({ added, value }) => {
  const row = `{"${added.name}":${value}}`;
  const exactly = JSON.parse(row.replaceAll(/[\d.]+/g, '"$&"'));
  const { asked, query } = clientOf([old, [added]], `[${row}]`);
  expect(await query.run()).toEqual([exactly]);
  expect(await query.run()).toEqual([exactly]);
  expect(asked).toHaveLength(2);
  const streaming = clientOf([old, [added]], `${row}\n`);
  expect(await streaming.query.stream().next()).toMatchObject({ value: exactly });
  const transaction = clientOf([old, [added]], `[[${row}]]`);
  expect(await transaction.db.transaction([transaction.query])).toEqual([[exactly]]);
});

test('a batch whose columns have changed asks for each query once', async () => {
  const answer = lines(...[0, 1].map((index) => ({ index, status: 200, result: [{ id: 1.5 }] })));
  const text = await answer().text();
  const decimal = [{ name: 'id', type: 'decimal' }];
  const { asked, query } = clientOf([old, decimal], text, { batch: true });
  expect(await Promise.all([query.run(), query.run()])).toEqual([[{ id: '1.5' }], [{ id: '1.5' }]]);
  expect(asked).toHaveLength(2);
});

test('a number that does not fit the columns of the gateway is an AnswerError', async () => {
  const { query, asked } = clientOf([old], '[{"id":1.5}]');
  await expect(query.run()).rejects.toThrow(AnswerError);
  await expect(query.stream().next()).rejects.toThrow('The number 1.5 of the answer');
  expect(asked).toHaveLength(3);
});

test('another token does not ask for the columns again, unless a number does not fit', async () => {
  let calls = 0;
  const key = () => `t${(calls += 1)}`;
  const fitting = clientOf([old], '[{"id":1}]', { key });
  for (let runs = 0; runs < 3; runs += 1) expect(await fitting.query.run()).toEqual([{ id: 1n }]);
  expect(fitting.asked).toEqual(['Bearer t1']);
  expect(calls).toBe(4);
  const decimal = [{ name: 'id', type: 'decimal' }];
  const changed = clientOf([old, decimal], '[{"id":1.5}]', { key });
  expect(await changed.query.run()).toEqual([{ id: '1.5' }]);
  expect(changed.asked).toEqual(['Bearer t5', 'Bearer t7']);
});
