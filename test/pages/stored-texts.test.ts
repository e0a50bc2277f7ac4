/**
 * Cursors with UUIDs, addresses and intervals in other forms, and with other texts, which MySQL and MariaDB can store, as
 * they can strings with U+0000.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { useOwnMariadb } from '../introspect/own-database.js';
import { makeTemporaryDirectory } from '../support/embedded.js';
import { describeMariadb } from '../support/mariadb.js';
import { type Program, startProgram } from '../support/program.js';
import { execute } from './stock.js';

const type = 'char(36) CHARACTER SET ascii COLLATE ascii_bin';
const uuidOf = (first: string): string => `${first}189F7E2-5D3C-7ABC-8DEF-0123456789AB`;
/** In their order. */
const texts = {
  uuid: ['', uuidOf('0'), '?', uuidOf('A'), uuidOf('B'), uuidOf('a').toLowerCase(), 'none'],
  inet: ['1.2.3.4', '1.2.3.4/32', 'FE80:0::1', 'FE80::1', 'fe80:0::1', 'fe80::1', 'here'],
  interval: ['1 day', '24:00:00', 'P1D', 'PT24H', 'soon'],
  string: ['\0', '', 'a\0b', 'a\0c', 'a', 'b'],
};
const names = Object.keys(texts) as readonly (keyof typeof texts)[];

const entities = names.map((name) => ({
  name,
  primaryKey: ['id'],
  properties: [
    { name: 'id', type: name, required: true },
    { name: 'number', type: 'integer' },
  ],
}));

describeMariadb('pages after a cursor with stored texts', () => {
  const tables = names.map((name) => {
    const rows = texts[name].map((text, number) => `('${text}', ${number})`);
    return `CREATE TABLE \`${name}\` (id ${type} PRIMARY KEY, number integer);
      INSERT INTO \`${name}\` VALUES ${rows.join(', ')};`;
  });
  const database = useOwnMariadb(tables.join('\n'));
  const folder = makeTemporaryDirectory();
  let program: Program;
  beforeAll(async () => {
    const file = join(folder, 'schema.json');
    const sources = [{ name: 'main', dialect: database.dialect, connection: database.url }];
    writeFileSync(file, JSON.stringify({ domain: { entities }, infrastructure: { sources } }));
    program = await startProgram(['--schema', file, '--workers', '1']);
  });
  afterAll(async () => {
    await program.stop();
    rmSync(folder, { recursive: true });
  });

  const cases = names.flatMap((name) => [[name, 'p.id'] as const, [name, 'desc(p.id)'] as const]);

  test.each(cases)('contain each %s once, sorted by %s', async (name, key) => {
    const query = `${name}.sort(p=>${key}).map(p=>p.number).after(cursor).take(1)`;
    const numbers: number[] = [];
    let cursor: string | undefined;
    do {
      const answer = await execute(program, query, { data: { cursor: cursor ?? null } });
      expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
      numbers.push(...(answer.json() as readonly { number: number }[]).map((row) => row.number));
      cursor = /cursor="([\w-]+)"/.exec(answer.headers.get('link') ?? '')?.[1];
    } while (cursor !== undefined);
    const expected = [...texts[name].keys()];
    expect(numbers).toEqual(key === 'p.id' ? expected : expected.toReversed());
  });
});
