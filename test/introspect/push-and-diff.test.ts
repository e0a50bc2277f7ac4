/** What push creates does not differ from its schema, and diff finds what it could not create. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { callCommand } from '../support/call-command.js';
import { makeTemporaryDirectory } from '../support/embedded.js';
import { describeMariadb } from '../support/mariadb.js';
import { startProgram } from '../support/program.js';
import { type OwnDatabase, useOwnMariadb, useOwnPostgresql } from './own-database.js';

/** A column of a type that is not supported. */
const TABLES = {
  PostgreSQL: 'CREATE TABLE place (id integer PRIMARY KEY, shape point)',
  MariaDB: 'CREATE TABLE place (id integer PRIMARY KEY, shape point)',
};

describe('push and diff on PostgreSQL', () => {
  suite(useOwnPostgresql(TABLES.PostgreSQL));
});

describeMariadb('push and diff', () => {
  suite(useOwnMariadb(TABLES.MariaDB));
});

function suite(database: OwnDatabase): void {
  /** Runs a command with a schema of these entities. */
  async function run(words: readonly string[], domain: object, tables: object = {}) {
    const path = join(makeTemporaryDirectory(), 'schema.json');
    const mapped = Object.entries(tables).map(([name, mapping]) => ({ name, mapping }));
    const document = {
      domain,
      infrastructure: {
        mappings: [{ name: 'default', entities: mapped }],
        sources: [{ name: 'main', dialect: database.dialect, connection: '${DATABASE_URL}' }],
      },
    };
    writeFileSync(path, JSON.stringify(document));
    const { code, stdout, stderr } = await callCommand([...words, '--schema', path], {
      DATABASE_URL: database.url,
    });
    return { code, lines: `${stdout}${stderr}`.trim().split('\n') };
  }

  const id = { name: 'id', type: 'integer' };

  test('the length of a string with an enum is that of its values', async () => {
    const enums = [
      { name: 'Hue', values: [{ name: 'red' }, { name: 'turquoise' }] },
      { name: 'Size', values: [{ name: 'small', value: 1 }] },
    ];
    const properties = [
      ...[id, { name: 'plain', enum: 'Hue' }, { name: 'long', enum: 'Hue', length: 20 }],
      ...[
        { name: 'endless', enum: 'Hue', length: 'max' },
        { name: 'size', enum: 'Size' },
      ],
    ];
    const domain = { enums, entities: [{ name: 'hues', primaryKey: ['id'], properties }] };
    expect((await run(['push'], domain)).code).toBe(0);
    const { code, lines } = await run(['diff'], domain);
    expect([code, lines]).toEqual([0, ['note: main: place: The table is not mapped.']]);
    expect((await run(['push'], domain)).lines).toEqual(['main: nothing to do']);
    await database.run('DROP TABLE hues');
  });

  test('tables and columns may have names that differ only in case', async () => {
    const parentId = { name: 'parentId', type: 'integer' };
    const relation = { name: 'parent', from: 'parentId', entity: 'Loud', to: 'id' };
    const entity = (name: string, target: string) => ({
      name,
      primaryKey: ['id'],
      properties: [id, parentId],
      relations: [{ ...relation, target }],
    });
    const domain = { entities: [entity('Loud', 'louds'), entity('Usual', 'usuals')] };
    const tables = { Loud: '"SELECT"', Usual: '"Select"' };
    // Names that earlier versions gave to a table of its own.
    const first = { entities: domain.entities.slice(0, 1) };
    expect((await run(['push'], first, { Loud: tables.Loud })).code).toBe(0);
    const pushed = await run(['push'], domain, tables);
    expect(pushed.code, pushed.lines.join('\n')).toBe(0);
    expect((await run(['push'], domain, tables)).lines).toEqual(['main: nothing to do']);
    expect((await run(['diff'], domain, tables)).code).toBe(0);
    expect((await run(['drop', '--yes'], domain, tables)).code).toBe(0);
    expect((await run(['push'], domain, tables)).code).toBe(0);
    expect((await run(['drop', '--yes'], domain, tables)).code).toBe(0);
  });

  test('a column of a type that is not supported is noted, and an error with --strict', async () => {
    const domain = { entities: [{ name: 'place', primaryKey: ['id'], properties: [id] }] };
    const note =
      'note: main: place: The column shape is not mapped: the type point is not supported.';
    expect(await run(['diff'], domain)).toEqual({ code: 0, lines: [note] });
    expect(await run(['diff', '--strict'], domain)).toEqual({ code: 1, lines: [note] });
    const shape = { name: 'shape', type: 'any', readOnly: true };
    const whole = { entities: [{ name: 'place', primaryKey: ['id'], properties: [id, shape] }] };
    expect(await run(['diff', '--strict'], whole)).toEqual({ code: 0, lines: ['No differences.'] });
  });

  test('a column that cannot hold the values is reported unless it is only read', async () => {
    const isPostgresql = database.dialect === 'PostgreSQL';
    const json = isPostgresql ? 'jsonb' : 'json';
    await database.run(
      `CREATE TABLE amounts (id integer PRIMARY KEY, exact integer, ratio integer, tags ${json})`,
    );
    onTestFinished(() => database.run('DROP TABLE amounts'));
    const properties = (readOnly: boolean) => [
      id,
      { name: 'exact', type: 'decimal', readOnly },
      { name: 'ratio', type: 'number', readOnly },
    ];
    const tags = { name: 'tags', type: 'string[]' };
    const entity = { name: 'amounts', primaryKey: ['id'] };
    const found = async (given: object) =>
      (await run(['diff'], { entities: [{ ...entity, ...given }] })).lines.filter(
        (line) => !line.startsWith('note:'),
      );
    const integer = isPostgresql ? 'integer' : 'int(11)';
    const expected = [
      `main: amounts.exact: Its type is decimal, but that of the column is ${integer}.`,
      `main: amounts.ratio: Its type is number, but that of the column is ${integer}.`,
    ];
    const ofTags = 'main: amounts.tags: Its type is string[], but that of the column is jsonb.';
    expect(await found({ properties: [...properties(false), tags] })).toEqual([
      ...expected,
      ...(isPostgresql ? [ofTags] : []),
    ]);
    expect(await found({ properties: properties(true) })).toEqual([]);
    expect(await found({ properties: properties(false), readOnly: true })).toEqual([]);
  });

  test('a foreign key of another schema refers to the table of the own one', async () => {
    const [own, arc] = await schemas();
    const domain = {
      entities: [
        { name: 'Owner', primaryKey: ['id'], properties: [id] },
        {
          name: 'Doc',
          primaryKey: ['id'],
          properties: [id, { name: 'ownerId', type: 'integer' }],
          relations: [{ name: 'owner', from: 'ownerId', entity: 'Owner', to: 'id' }],
        },
      ],
    };
    const tables = { Owner: 'owner', Doc: `${arc}.doc` };
    await database.run(`CREATE TABLE ${arc}.owner (id integer PRIMARY KEY)`);
    expect((await run(['push'], domain, tables)).code).toBe(0);
    expect((await run(['push'], domain, tables)).lines).toEqual(['main: nothing to do']);
    expect((await run(['diff'], domain, tables)).code).toBe(0);
    await database.run(`INSERT INTO owner VALUES (1); INSERT INTO ${arc}.doc VALUES (1, 1)`);
    const drop = database.dialect === 'MariaDB' ? 'FOREIGN KEY' : 'CONSTRAINT';
    await database.run(`DELETE FROM ${arc}.doc;
      ALTER TABLE ${arc}.doc DROP ${drop} doc_ownerid_fkey;
      ALTER TABLE ${arc}.doc ADD CONSTRAINT wrong FOREIGN KEY (ownerId) REFERENCES ${arc}.owner (id)`);
    const { code, lines } = await run(['diff'], domain, tables);
    const why = `The foreign key wrong refers to ${arc}.owner, but the relation leads to ${own}.owner.`;
    expect([code, lines[0]]).toEqual([1, `main: Doc.owner: ${why}`]);
  });

  test('a table without a primary key is mapped, and the remark about it says so', async () => {
    await database.run('CREATE TABLE visit (day date)');
    onTestFinished(() => database.run('DROP TABLE visit'));
    const { stdout, stderr } = await callCommand(['introspect', database.url]);
    const remark =
      /^( *# )?Note: \w+\.visit\. It has no primary key, so updates and deletes need a filter\.$/m;
    expect(stderr).toMatch(remark);
    expect(stdout).toMatch(remark);
    expect(stdout).toContain('# Not mapped: 1; see the comments');
    const program = await startProgram(['--url', database.url, '--workers', '1']);
    await program.stop();
    const places = (wanted: string) =>
      program.log.flatMap(({ event, place }) => (event === wanted ? [String(place)] : []));
    expect(places('limited')).toEqual([expect.stringMatching(/\.visit$/)]);
    expect(places('unmapped')).toEqual([expect.stringMatching(/\.place\.shape$/)]);
  });

  /** The schema of unqualified names, and another one for the current test. */
  async function schemas(): Promise<readonly [string, string]> {
    const isMariadb = database.dialect === 'MariaDB';
    const [[own] = []] = await database.texts(
      isMariadb ? 'SELECT DATABASE()' : 'SELECT current_schema()::text',
    );
    const arc = `${own}_arc`;
    await database.run(`CREATE SCHEMA ${arc}`);
    const end = isMariadb ? '' : ' CASCADE';
    onTestFinished(() => database.run(`DROP SCHEMA ${arc}${end}; DROP TABLE owner`));
    return [String(own), arc];
  }
}
