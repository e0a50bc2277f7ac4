/**
 * Exports contain the stored values exactly: importing one stores the same values, without a key for
 * encryption.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStage, type TestStage } from './import-stage.js';
import { SECRET, writeSchema, writeSeed } from './write-schema.js';

let stage: TestStage;
beforeAll(async () => {
  stage = await openStage(writeSchema());
  await stage.sql(writeSeed);
  await stage.sql(`UPDATE users SET email = 'v1:c3RvcmVk'`);
});
afterAll(async () => {
  await stage.close();
});

test('an export that is imported elsewhere and exported again is the same', async () => {
  for (const pretty of [false, true]) {
    const text = await stage.export(pretty);
    expect(JSON.parse(text)).toMatchObject({ values: 'stored' });
    expect(text).toContain('0123456789');
    expect(text).toContain('v1:c3RvcmVk');
    expect(text).not.toContain(SECRET);
    const other = await openStage(writeSchema());
    await other.import(text);
    expect(await other.export(pretty)).toBe(text);
    await other.close();
  }
});

test('each entity of a shared table is exported separately', async () => {
  const { entities } = JSON.parse(await stage.export());
  const codes = entities
    .filter(({ entity }: { entity: string }) => ['Countries', 'States'].includes(entity))
    .map(({ entity, rows }: { entity: string; rows: { code: string }[] }) => [
      entity,
      rows.map(({ code }) => code),
    ]);
  expect(new Map(codes)).toEqual(
    new Map([
      ['Countries', ['NO']],
      ['States', ['NO', 'OS']],
    ]),
  );
});

test('a value that is marked as stored is not computed from values that are stored differently', async () => {
  const rows = [{ code: 'X', first: 'a', last: 'b' }];
  const document = { values: 'stored', entities: [{ entity: 'Users', rows }] };
  await expect(stage.import(document)).rejects.toThrow(
    "The data has no value for parameter 'slug'.",
  );
});

test.each([
  [{ values: 'plain', entities: [] }, '\'values\' can only be "stored".'],
  [{ values: ['stored'], entities: [] }, '\'values\' can only be "stored".'],
  [{ entities: [], values: 'stored' }, "'values' must come before 'entities'."],
])('%j is refused', async (document, detail) => {
  await expect(stage.import(document)).rejects.toThrow(detail);
});

test('a row accepts the key of its entity, and no other', async () => {
  const rowsOf = (type?: string) => ({
    entities: [
      { entity: 'Countries', rows: [{ code: 'SE', name: 'Sweden', ...(type && { type }) }] },
    ],
  });
  await expect(stage.import(rowsOf('state'))).rejects.toThrow();
  await stage.import(rowsOf());
  expect(await stage.sql(`SELECT type FROM places WHERE code = 'SE'`)).toEqual([
    { type: 'country' },
  ]);
});
