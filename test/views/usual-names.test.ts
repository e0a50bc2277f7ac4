/** Clients that always send the stage and view `default`, as those of lambdaorm do. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createThrowawayDatabase, makeTemporaryDirectory } from '../support/embedded.js';
import { ask, post, type Program, runCommand, startProgram } from '../support/program.js';

const properties = [
  { name: 'id', type: 'integer' },
  { name: 'word', length: 20 },
  { name: 'secret', length: 20 },
];
const document = (connection: unknown) => ({
  domain: { entities: [{ name: 'Things', primaryKey: ['id'], properties }] },
  infrastructure: {
    sources: [{ name: 'shop', dialect: 'PostgreSQL', connection }],
    stages: [{ name: 'live', sources: [{ name: 'shop' }] }],
    views: [
      {
        name: 'public',
        entities: [{ name: 'Things', properties: [{ name: 'secret', exclude: true }] }],
      },
      { name: 'whole' },
    ],
  },
});

const folder = makeTemporaryDirectory();
let database: Awaited<ReturnType<typeof createThrowawayDatabase>>;
let program: Program;
beforeAll(async () => {
  database = await createThrowawayDatabase();
  const file = join(folder, 'schema.json');
  writeFileSync(file, JSON.stringify(document(database.connection)));
  expect(await runCommand(['push', '--schema', file])).toMatchObject({ code: 0 });
  program = await startProgram(['--schema', file, '--workers', '1']);
  const data = { id: 1, word: 'a', secret: 's' };
  const stored = { query: 'Things.insert()', data, options: { view: 'whole' } };
  expect((await post(program, '/execute', stored)).status).toBe(200);
});
afterAll(async () => {
  await program.stop();
  await database.drop();
  rmSync(folder, { recursive: true });
});

test.each([undefined, null, { stage: 'default', view: 'default' }, '{"view":"default"}'])(
  'the options %j name the first stage and view, because none is called default',
  async (options) => {
    const answer = await post(program, '/execute', { query: 'Things', options });
    expect([answer.status, answer.json()]).toEqual([200, [{ id: 1, word: 'a' }]]);
  },
);

test('the same holds for descriptions and exports', async () => {
  const entities = await ask(program, '/entities?view=default');
  expect(entities.text).not.toContain('secret');
  const exported = await ask(program, '/stages/live/export?view=default');
  expect(exported.json()).toMatchObject({ entities: [{ rows: [{ id: 1, word: 'a' }] }] });
});

test.each([
  [{ view: 'other' }, 'unknown-view'],
  [{ stage: 'other' }, 'unknown-stage'],
  [{ view: 7 }, 'options-invalid'],
])('the options %j are refused', async (options, code) => {
  const answer = await post(program, '/execute', { query: 'Things', options });
  expect(answer.json()).toMatchObject({ code });
});
