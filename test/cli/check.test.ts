import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { type CheckOptions, runCheck } from '../../src/cli/check.js';
import { loadSchema } from '../../src/engine/index.js';
import { openSchemaFile, readSchemaFile } from '../../src/project/schema-file.js';

const dataDirectory = 'data/postgresql';
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rowgate-check-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

async function fileOf(text: string): Promise<string> {
  const path = join(folder, 'schema.yaml');
  await writeFile(path, text);
  return path;
}

/** Runs `check` on a file, and returns what it prints and its exit code. */
async function check(text: string, environment: Readonly<Record<string, string>> = {}) {
  const path = await fileOf(text);
  const lines: string[] = [];
  const code = await runCheck({
    schema: path,
    environment,
    dataDirectory,
    print: (line) => lines.push(line),
  });
  return { code, lines: lines.map((line) => line.replaceAll(path, 'schema.yaml')) };
}

const sound = `domain:
  version: 1.2.3
  entities:
    - {name: Cities, properties: [{name: name}]}
    - {name: States, properties: [{name: name}]}
infrastructure:
  mappings: [{name: default}]
  sources:
    - {name: main, dialect: PostgreSQL, connection: $MAIN}
    - {name: other, dialect: MySQL, connection: {host: db, user: me, password: secret}}
    - {name: third, dialect: MariaDB}
`;

describe('rowgate check', () => {
  it('refuses a file of the key for tokens that cannot be used', async () => {
    const schema = await fileOf(sound);
    const jwtKeyFile = join(folder, 'secret');
    await writeFile(jwtKeyFile, 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIL2hOZ7Vx1 shop@example.com');
    const environment = { MAIN: 'postgresql://db/cities' };
    const running = runCheck({
      schema,
      environment,
      dataDirectory,
      jwtKeyFile,
      print: () => undefined,
    });
    await expect(running).rejects.toThrow('a key of SSH');
  });

  it('refuses a certificate, its key and a file of allowed queries that cannot be used', async () => {
    const schema = await fileOf(sound);
    const environment = { MAIN: 'postgresql://db/cities' };
    const missing = join(folder, 'missing');
    const checkWith = (files: Partial<CheckOptions>) =>
      runCheck({ schema, environment, dataDirectory, ...files, print: () => undefined });
    await expect(checkWith({ tlsCert: missing })).rejects.toThrow('belong together');
    const pair = { tlsCert: missing, tlsKey: missing };
    await expect(checkWith(pair)).rejects.toThrow(`The certificate ${missing} with the key`);
    await expect(checkWith({ queriesFile: missing })).rejects.toThrow(`The queries in ${missing}`);
  });

  it('prints the content of a valid file with masked secrets, and exits with 0', async () => {
    const main = 'postgresql://me:secret@db:5432/cities?sslpassword=secret';
    expect(await check(sound, { MAIN: main })).toEqual({
      code: 0,
      lines: [
        'schema.yaml is valid.',
        'version 1.2.3',
        'entities Cities, States',
        'source main: PostgreSQL, mapping default, postgresql://me:***@db:5432/cities?sslpassword=***',
        'source other: MySQL, mapping default, host=db user=me password=***',
        'source third: MariaDB, mapping default, localhost:3306',
        'stages default',
        'views default',
      ],
    });
  });

  it('tells which source is in the embedded database', async () => {
    const text = sound.replaceAll('$MAIN', '"${MAIN:-}"');
    expect((await check(text)).lines).toContain(
      'source main: PostgreSQL, mapping default, embedded database in data/postgresql',
    );
  });

  it('notes a source that no stage uses', async () => {
    const text = `${sound}  stages: [{name: default, sources: [{name: main}, {name: other}]}]\n`;
    const { lines } = await check(text, { MAIN: 'postgresql://db/cities' });
    expect(lines.filter((line) => line.endsWith('; no stage uses it'))).toEqual([
      'source third: MariaDB, mapping default, localhost:3306; no stage uses it',
    ]);
  });

  it('notes a source that has the first mapping although another one is the default', async () => {
    const text = [
      'domain: {entities: []}',
      'infrastructure:',
      '  mappings: [{name: old}, {name: default}]',
      '  sources:',
      '  - {name: main, dialect: MySQL}',
      '  - {name: other, dialect: MySQL, mapping: old}',
    ].join('\n');
    const { lines } = await check(text);
    expect(lines.filter((line) => line.startsWith('source '))).toEqual([
      "source main: MySQL, mapping old, localhost:3306; it names no mapping, so it has the first, not 'default'",
      'source other: MySQL, mapping old, localhost:3306',
    ]);
  });

  it('prints every problem with its line, column, place and hint, and exits with 1', async () => {
    const text =
      'domain:\n  entities:\n  - name: Cities\n    primarykey: [id]\n    properties:\n    - name: id\n      type: interger\n';
    expect(await check(text)).toEqual({
      code: 1,
      lines: [
        "schema.yaml:4:5: domain.entities[0].primarykey: There is no member 'primarykey' here. Did you mean 'primaryKey'?",
        "schema.yaml:7:7: domain.entities[0].properties[0].type: 'interger' is not a valid choice. Did you mean 'integer', 'integer[]' or 'interval'?",
      ],
    });
  });

  it('finds the line of a problem inside an alias', async () => {
    const text =
      'base: &columns\n  - {name: id, lenght: 3}\ndomain:\n  entities: [{name: A, properties: *columns}]\n';
    expect((await check(text)).lines[0]).toMatch(
      /^schema\.yaml:2:\d+: domain\.entities\[0\]\.properties\[0\]\.lenght:/,
    );
  });

  it('finds the line of a problem inside what a merge key adds', async () => {
    const text =
      'x-one: &one {required: true}\nx-two: &two\n  lenght: 3\ndomain:\n  entities: [{name: A, properties: [{<<: [*one, *two], name: id}]}]\n';
    expect((await check(text)).lines).toEqual([
      "schema.yaml:3:3: domain.entities[0].properties[0].lenght: There is no member 'lenght' here. Did you mean 'length'?",
    ]);
  });

  it('points to the node around a missing member', async () => {
    const text = 'domain:\n  entities:\n  - primaryKey: [id]\n';
    expect((await check(text)).lines[0]).toBe(
      'schema.yaml:3:5: domain.entities[0].name: A name is missing.',
    );
  });

  it('reports every variable that is not set, with its places', async () => {
    expect(await check(sound.replace('user: me', 'user: $ME'))).toEqual({
      code: 1,
      lines: [
        "schema.yaml:9:41: infrastructure.sources[0].connection: The variable 'MAIN' is not set. Set MAIN, or write ${MAIN:-text} to give it a default.",
        "schema.yaml:10:60: infrastructure.sources[1].connection.user: The variable 'ME' is not set. Set ME, or write ${ME:-text} to give it a default.",
      ],
    });
  });

  it('reports file, line and column of invalid YAML', async () => {
    const { code, lines } = await check('domain:\n  entities: [\n');
    expect(code).toBe(1);
    expect(lines[0]).toMatch(/^schema\.yaml:3:1: Flow sequence in block collection must be/);
  });

  it('reports a key that is given twice', async () => {
    expect((await check('domain: {}\ndomain: {}\n')).lines[0]).toMatch(
      /^schema\.yaml:2:1: Map keys must be unique/,
    );
  });

  it('reports a missing file', async () => {
    const lines: string[] = [];
    const missing = join(folder, 'missing.yaml');
    expect(
      await runCheck({
        schema: missing,
        environment: {},
        dataDirectory,
        print: (line) => lines.push(line),
      }),
    ).toBe(1);
    expect(lines[0]).toContain('The schema file cannot be read: ENOENT');
  });

  it('refuses aliases that expand without end', async () => {
    const levels = Array.from({ length: 12 }, (_, level) => {
      const above = Array.from({ length: 10 }, () => `*a${level}`).join(', ');
      return `a${level + 1}: &a${level + 1} [${above}]`;
    });
    const { code, lines } = await check(['a0: &a0 [x]', ...levels].join('\n'));
    expect([code, lines.length]).toEqual([1, 1]);
    expect(lines[0]).toContain('Excessive alias count');
  });
});

describe('a schema file', () => {
  it('may have merge keys, whose members may be overridden', async () => {
    const path = await fileOf(
      'x-pg: &pg {host: db, database: none}\ninfrastructure: {pg: {<<: *pg, database: crm}}\n',
    );
    const merged = await openSchemaFile(path);
    expect(merged.document).toMatchObject({
      infrastructure: { pg: { host: 'db', database: 'crm' } },
    });
    expect(merged.positionOf('infrastructure.pg.host')).toEqual({ ln: 1, col: 12 });
  });

  it('may be JSON', async () => {
    const path = await fileOf('{"domain": {"version": "${VERSION}", "entities": []}}');
    const document = { domain: { version: '2.0.0', entities: [] } };
    expect(await readSchemaFile(path, { VERSION: '2.0.0' })).toEqual(document);
  });

  it('is refused with the line and place of every error', async () => {
    const path = await fileOf('domain:\n  entities:\n    - { name: A, primarykey: [id] }\n');
    const place = `${path}:3:18: domain.entities[0].primarykey: `;
    await expect(readSchemaFile(path, {})).rejects.toThrow(place);
  });

  it('is refused if it has several documents', async () => {
    const path = await fileOf('domain: {}\n---\ndomain: {}\n---\n]');
    const message = `${path}:2:1: The file contains several documents.`;
    await expect(readSchemaFile(path, {})).rejects.toThrow(message);
  });

  it('may be empty', async () => {
    const file = await openSchemaFile(await fileOf(''));
    expect(file.document).toBeNull();
    expect(file.positionOf('domain')).toEqual({ ln: 1, col: 1 });
  });
});

test('a number without quotes keeps its digits', async () => {
  const text = `domain:
  enums: [{name: Codes, values: [{name: first, value: 01}]}, {name: Rates, values: [{name: low, value: 0.10}]}]
  entities:
    - name: Things
      properties:
        - {name: id, type: bigint, default: 9007199254740993}
        - {name: exact, type: decimal, default: -0.1234567890123456789012}
        - {name: rounded, type: decimal, default: 1.50}
        - {name: great, type: number, default: 1e3}
        - {name: agent, default: 007, length: 010}
        - {name: code, enum: Codes, default: 01}
        - {name: hex, type: integer, default: 0x1f}
infrastructure:
  sources: [{name: main, dialect: MySQL, connection: {password: 0123, port: 3306}}]
`;
  const { domain, sources } = loadSchema(await readSchemaFile(await fileOf(text), {}));
  expect(domain.entities[0]?.properties.map((each) => [each.default, each.length])).toEqual([
    ['9007199254740993', undefined],
    ['-0.1234567890123456789012', undefined],
    ['1.50', undefined],
    ['1e3', undefined],
    ['007', 10],
    ['01', 80],
    [31, undefined],
  ]);
  expect(domain.enums[0]?.values).toEqual([{ name: 'first', value: '01' }]);
  expect(domain.enums[1]?.values).toEqual([{ name: 'low', value: 0.1 }]);
  expect(sources[0]?.connection).toEqual({ password: '0123', port: 3306 });
  expect((await check(text)).code).toBe(0);
});
