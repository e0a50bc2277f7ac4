/** Includes into the other dialect find their rows by keys of all types. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createThrowawayDatabase, makeTemporaryDirectory } from '../support/embedded.js';
import { createMariadbDatabase, describeMariadb } from '../support/mariadb.js';
import { post, type Program, runCommand, startProgram } from '../support/program.js';

const types = {
  integer: [1, -7],
  bigint: [9007199254740993n, -9007199254740995n],
  decimal: [1.5, -20],
  number: [0.1, 1e30],
  string: ['a', 'É "b" \\ \n'],
  boolean: [true, false],
  dateTime: ['2020-02-29T00:00:00.000Z', '1900-01-01T00:00:00.001Z'],
  date: ['2024-02-29', '1970-01-01'],
  time: ['12:30:00', '23:59:59.999'],
  uuid: ['0189f7e2-5d3c-7abc-8def-0123456789ab', '123e4567-e89b-42d3-a456-426614174000'],
  binary: ['AAE=', '/w=='],
  interval: ['P1Y2M', 'PT1.5S'],
  inet: ['10.0.0.0/8', 'fe80::1'],
} as const;
type Type = keyof typeof types;
const names = Object.keys(types) as readonly Type[];

/** For each type, an entity in each database, and relations by one and by two columns. */
function schemaFile(postgresql: unknown, mariadb: unknown): unknown {
  const entity = (name: string, type: Type, other?: string) => ({
    name,
    primaryKey: ['id'],
    properties: [
      { name: 'id', type: 'integer', required: true },
      { name: 'part', type: 'integer', required: true },
      { name: 'key', type, ...(type === 'string' && { length: 40 }) },
    ],
    relations: other
      ? [
          ...[['key'], ['part', 'key']].map((keys) => ({
            name: keys.length === 1 ? 'one' : 'pair',
            type: 'oneToMany',
            target: keys.length === 1 ? 'ones' : 'pairs',
            from: keys,
            entity: other,
            to: keys,
            weak: true,
          })),
        ]
      : [],
  });
  return {
    domain: {
      version: '1.0.0',
      entities: names.flatMap((type) => [
        entity(`P_${type}`, type),
        entity(`M_${type}`, type, `P_${type}`),
      ]),
    },
    infrastructure: {
      mappings: [{ name: 'default' }],
      sources: [
        { name: 'p', dialect: 'PostgreSQL', mapping: 'default', connection: postgresql },
        { name: 'm', dialect: 'MariaDB', mapping: 'default', connection: mariadb },
      ],
      stages: [
        {
          name: 'default',
          sources: [{ name: 'p', condition: 'entity.startsWith("P_")' }, { name: 'm' }],
        },
        {
          name: 'turned',
          sources: [{ name: 'm', condition: 'entity.startsWith("P_")' }, { name: 'p' }],
        },
        { name: 'postgresql', sources: [{ name: 'p' }] },
        { name: 'mariadb', sources: [{ name: 'm' }] },
      ],
    },
  };
}

const stages = ['default', 'turned', 'postgresql', 'mariadb'];
const cases = names.flatMap((type) => stages.map((stage) => [type, stage] as const));

const json = (value: unknown): string =>
  typeof value === 'bigint' ? String(value) : JSON.stringify(value);

function rowsOf(type: Type): string {
  const rows = types[type].map((key, n) => `{"id": ${n + 1}, "part": ${n}, "key": ${json(key)}}`);
  return `[${rows.join(', ')}]`;
}

describeMariadb('keys between PostgreSQL and MariaDB', () => {
  const folder = makeTemporaryDirectory();
  let program: Program;
  const stops: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    const postgresql = await createThrowawayDatabase();
    stops.push(() => postgresql.drop());
    const mariadb = await createMariadbDatabase();
    stops.push(() => mariadb.drop());
    const { host, port, user, database } = postgresql.connection;
    const file = join(folder, 'schema.json');
    const connection = { host, port, user, database };
    writeFileSync(file, JSON.stringify(schemaFile(connection, mariadb.connection)));
    expect(await runCommand(['push', '--schema', file])).toMatchObject({ code: 0 });
    program = await startProgram(['--schema', file, '--workers', '1']);
    stops.unshift(() => program.stop());
    const entities = names.flatMap((type) =>
      ['P', 'M'].map((side) => `{"entity": "${side}_${type}", "rows": ${rowsOf(type)}}`),
    );
    for (const stage of ['default', 'turned']) {
      const body = `{"entities": [${entities.join(', ')}]}`;
      const answer = await post(program, `/stages/${stage}/import`, body);
      expect(answer.status, answer.text).toBe(200);
    }
  });
  afterAll(async () => {
    for (const stop of stops) await stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const execute = async (query: string, stage: string): Promise<unknown> => {
    const answer = await post(program, '/execute', { query, options: { stage } });
    return answer.json();
  };

  test.each(cases)('of type %s, in the stage %s', async (type, stage) => {
    const children = `M_${type}.sort(p=>p.id).map(p=>p.id).include(p=>[p.one.map(q=>q.id), p.pair.map(q=>q.id)])`;
    const parents = `P_${type}.sort(p=>p.id).map(p=>p.id).include(p=>[p.ones.map(q=>q.id), p.pairs.map(q=>q.id)])`;
    expect(await execute(children, stage)).toEqual(
      [1, 2].map((id) => ({ id, one: { id }, pair: { id } })),
    );
    expect(await execute(parents, stage)).toEqual(
      [1, 2].map((id) => ({ id, ones: [{ id }], pairs: [{ id }] })),
    );
  });

  test.each(cases)('of type %s are written in the stage %s', async (type, stage) => {
    const [key] = types[type];
    const write = async (query: string, data: string): Promise<unknown> => {
      const body = `{"query": "${query}", "data": ${data}, "options": {"stage": "${stage}"}}`;
      return (await post(program, '/execute', body)).json();
    };
    // Rows that refer to others of the same key, of which there were two in the beginning.
    const row = (id: number) => `"id": ${id}, "part": 70, "key": ${json(key)}`;
    const children = `{${row(71)}, "pairs": [{"id": 72}, {"id": 73}]}`;
    await write(`P_${type}.insert().include(p=>p.pairs)`, children);
    await write(`M_${type}.insert().include(p=>p.pair)`, `{"id": 74, "pair": {${row(75)}}}`);
    const found = `M_${type}.filter(p=>p.id>70).sort(p=>p.id).map(p=>p.id).include(p=>p.pair.map(q=>q.part))`;
    expect(await write(found, '{}')).toEqual(
      [72, 73, 74].map((id) => ({ id, pair: { part: 70 } })),
    );
    expect(await write(`P_${type}.filter(p=>p.part==70).delete()`, '{}')).toBe(2);
    expect(await write(`M_${type}.filter(p=>p.id>70).delete()`, '{}')).toBe(3);
  });
});
