/** A suite for every database: existing tables are served without a schema file. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callCommand } from '../support/call-command.js';
import { makeTemporaryDirectory } from '../support/embedded.js';
import {
  ask,
  type CommandResult,
  post,
  type Program,
  rowsOf,
  startProgram,
} from '../support/program.js';
import { serveHere } from '../support/serve-here.js';
import type { OwnDatabase } from './own-database.js';

interface EntityShape {
  readonly name: string;
  readonly properties: readonly { readonly name: string }[];
  readonly relations: readonly { readonly name: string; readonly type: string }[];
}

/** A database, and another one with the same tables but no rows. */
export interface ServedDatabases {
  readonly database: OwnDatabase;
  readonly empty: OwnDatabase;
}

/**
 * Serves the database, and reads everything in it. `served` returns the program after it has started.
 */
export function servedSuite(
  { database, empty }: ServedDatabases,
  schemas: readonly string[] = [],
): { readonly served: () => Program } {
  const flags = schemas.length === 0 ? [] : ['--schemas', schemas.join()];
  let program: Program;
  let made: CommandResult;
  const folder = makeTemporaryDirectory();
  const file = join(folder, 'schema.yaml');
  beforeAll(async () => {
    program = await startProgram(['--url', database.url, '--workers', '1', ...flags]);
    made = await callCommand(['introspect', database.url, '--output', file, ...flags]);
  });
  afterAll(() => program.stop());

  test('every property is read, and every relation in both directions', async () => {
    const entities = (await ask(program, '/entities')).json() as readonly EntityShape[];
    expect(entities.length).toBeGreaterThan(5);
    for (const { name, properties, relations } of entities) {
      const rows = (await rowsOf(program, name)) as readonly object[];
      const names = JSON.stringify(properties.map((property) => property.name));
      const found = rows.map((row) => JSON.stringify(Object.keys(row)));
      expect(new Set(found)).toEqual(new Set(rows.map(() => names)));
      for (const relation of relations) {
        const query = `${name}.include(p=>p.${relation.name})`;
        const included = (await rowsOf(program, query)) as readonly Record<string, unknown>[];
        expect(included).toHaveLength(rows.length);
        const isMany = relation.type === 'manyToOne';
        const areLists = included.map((row) => Array.isArray(row[relation.name]));
        expect(new Set(areLists)).toEqual(new Set(rows.map(() => isMany)));
      }
    }
  });

  test('the schema that is written to a file is valid, and serves the same answers', async () => {
    expect([made.code, made.stdout]).toEqual([0, '']);
    expect(readFileSync(file, 'utf8')).not.toContain(database.url);
    const checked = await callCommand(['check', '--schema', file], { DATABASE_URL: database.url });
    expect(checked.stdout).toContain(`${file} is valid.`);
    const different = await callCommand(['diff', '--schema', file], { DATABASE_URL: database.url });
    const stdout = expect.stringMatching(
      /^(?:No differences\.|(?:note: .* is not supported\.\n?)+)$/m,
    );
    expect(different).toEqual({ code: 0, stdout, stderr: '' });
    const entities = (await ask(program, '/entities')).json();
    await serveHere({ schema: file, url: database.url }, async (other) => {
      expect((await ask(other, '/entities')).json()).toEqual(entities);
    });
  });

  test('a schema file without a connection is served from the address', async () => {
    const schema = parse(readFileSync(file, 'utf8')) as {
      infrastructure: { sources: [{ connection?: unknown }] };
    };
    expect(schema.infrastructure.sources).toEqual([
      expect.objectContaining({ connection: expect.anything() }),
    ]);
    delete schema.infrastructure.sources[0].connection;
    const unconnected = join(folder, 'unconnected.json');
    writeFileSync(unconnected, JSON.stringify(schema));
    await serveHere({ schema: unconnected, url: database.url }, async (other) => {
      const [{ name } = { name: '' }] = (await ask(other, '/entities')).json() as EntityShape[];
      expect(await rowsOf(other, name)).toEqual(await rowsOf(program, name));
    });
  });

  test('rows are exported, imported into equal tables elsewhere, and exported again with the same result', async () => {
    const exported = await ask(program, '/stages/default/export');
    expect(exported.status).toBe(200);
    await serveHere({ url: empty.url, schemas }, async (other) => {
      const stored = await post(other, '/stages/default/import', exported.text);
      expect([stored.status, stored.text]).toEqual([200, expect.any(String)]);
      expect((await ask(other, '/stages/default/export')).json()).toEqual(exported.json());
    });
  });

  return { served: () => program };
}

/** The status of the answer to an expression, and its problem. */
export async function refusal(program: Program, query: string, data?: unknown) {
  const answer = await post(program, '/execute', { query, data: JSON.stringify(data) });
  const { code, detail } = answer.json() as { readonly code?: string; readonly detail?: string };
  return { status: answer.status, code, detail };
}
