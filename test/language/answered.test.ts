/** Values of the data are answered unchanged, in every format. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RowsForm } from '../../src/engine/index.js';
import { type LanguageFixture, startLanguageFixture } from './language-fixture.js';

let fixture: LanguageFixture;

beforeAll(async () => {
  fixture = await startLanguageFixture();
});

afterAll(() => fixture.stop());

const query = 'Products.filter(p=>p.id<3).map(p=>({id: p.id, x: x})).sort(p=>p.id)';
const values = [
  { 'a "b"': [1, [], {}, { c: 'd, {e}: [f]\\"' }], g: null },
  ['x', [[2.5]]],
  'a, "b"\nc',
  '',
  17,
  true,
  null,
];

async function answer(x: unknown, form: RowsForm): Promise<string> {
  await fixture.plan(query);
  return (await fixture.gateway.execute(query, { data: { x }, form })).text;
}

test.each(values)('%j is indented as JSON.stringify does it', async (x) => {
  const rows = [1, 2].map((id) => ({ id, x }));
  expect(await answer(x, 'compact')).toBe(JSON.stringify(rows));
  expect(await answer(x, 'pretty')).toBe(JSON.stringify(rows, null, 2));
});

test.each(values)('%j stays on its line', async (x) => {
  const lines = [1, 2].map((id) => `${JSON.stringify({ id, x })}\n`);
  expect(await answer(x, 'lines')).toBe(lines.join(''));
});

test.each([
  [{ a: [1] }, '"{""a"":[1]}"'],
  ['a, "b"\nc', '"a, ""b""\nc"'],
  ['plain', 'plain'],
  ['', '""'],
  [17.5, '17.5'],
  [null, ''],
])('%j is the field %s of CSV', async (x, field) => {
  expect(await answer(x, 'csv')).toBe(`id,x\r\n1,${field}\r\n2,${field}\r\n`);
});

test('rows with any values are counted', async () => {
  const count = 'Products.filter(p=>p.id<3).map(p=>({x: x})).count()';
  expect(await fixture.answer(count, { x: [{}] })).toBe('[{"count":2}]');
});

test('values that are nested too deeply are refused', async () => {
  const deep = `{"x":${'['.repeat(2000)}${']'.repeat(2000)}}`;
  const refused = fixture.gateway.execute(query, { data: deep });
  await expect(refused).rejects.toMatchObject({ problem: { code: 'parameter-type' } });
});
