/** Imports over HTTP of members that the schema does not know, on each database. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeTemporaryDirectory } from '../support/embedded.js';
import { createMariadbDatabase, describeMariadb } from '../support/mariadb.js';
import { fillMariadbWithSample, mariadbSampleDocument } from '../support/mariadb-sample.js';
import { type Program, post, rowsOf, startProgram, until } from '../support/program.js';
import { startSampleServer } from '../support/sample-program.js';

interface Server {
  start(flags: readonly string[]): Promise<Program>;
  stop(): Promise<void>;
}

function describeMembers(startServer: () => Promise<Server>): void {
  let server: Server;
  let program: Program;
  let before: unknown;
  const stored = () => rowsOf(program, 'Shippers.count()');
  beforeAll(async () => {
    server = await startServer();
    program = await server.start([]);
  });
  beforeEach(async () => {
    before = await stored();
  });
  afterAll(async () => {
    await program.stop();
    await server.stop();
  });

  const documentOf = (name: string) => {
    const rows = [1, 2].map((at) => ({ name: `${name} ${at}`, fax: 'none', mail: at }));
    return { entities: [{ entity: 'Shippers', rows }] };
  };

  test('a strict import refuses them, and stores nothing', async () => {
    const refused = await post(
      program,
      '/stages/default/import?strict=true',
      documentOf('refused'),
    );
    expect(refused.json()).toMatchObject({
      status: 400,
      code: 'unknown-property',
      place: 'entities[0].rows[0].fax',
    });
    expect(await stored()).toEqual(before);
  });

  test.each(['', '?strict=false'])(
    'an import%s ignores them, counts them and logs them',
    async (parameters) => {
      const warnings = () => program.log.filter(({ event }) => event === 'import-ignored');
      const logged = warnings().length;
      const answer = await post(
        program,
        `/stages/default/import${parameters}`,
        documentOf(`known${parameters}`),
      );
      const ignored = { 'Shippers.fax': 2, 'Shippers.mail': 2 };
      expect(answer.status).toBe(200);
      expect(answer.json()).toEqual({ imported: [{ entity: 'Shippers', rows: 2 }], ignored });
      const warning = await until('the warning is logged', () => warnings()[logged]);
      expect(warning).toMatchObject({ level: 40, stage: 'default', ignored });
      expect(warnings()).toHaveLength(logged + 1);
    },
  );

  test('an import without such members names none', async () => {
    const known = { entities: [{ entity: 'Shippers', rows: [{ name: 'known' }] }] };
    const answer = await post(program, '/stages/default/import', known);
    expect(answer.json()).toEqual({ imported: [{ entity: 'Shippers', rows: 1 }] });
  });

  test('a strict server refuses them', async () => {
    const strict = await server.start(['--strict-import', 'on']);
    const misspelt = { entities: [{ entity: 'Shippers', rows: [{ nmae: 'x' }] }] };
    const refused = await post(strict, '/stages/default/import', misspelt);
    await strict.stop();
    expect(refused.json()).toMatchObject({
      status: 400,
      code: 'unknown-property',
      hint: "Did you mean 'name'?",
    });
    expect(await stored()).toEqual(before);
  });
}

async function startMariadbServer(): Promise<Server> {
  const database = await createMariadbDatabase();
  await fillMariadbWithSample(database);
  const folder = makeTemporaryDirectory();
  const schema = join(folder, 'schema.json');
  writeFileSync(schema, JSON.stringify(mariadbSampleDocument(database)));
  return {
    start: (flags) => startProgram(['--schema', schema, '--workers', '1', ...flags]),
    async stop() {
      await database.drop();
      rmSync(folder, { recursive: true });
    },
  };
}

describe('unknown members on PostgreSQL', () => {
  describeMembers(startSampleServer);
});

describeMariadb('unknown members', () => describeMembers(startMariadbServer));
