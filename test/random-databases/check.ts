/** What must hold for any database that Rowgate serves without a schema file. */
import { join } from 'node:path';
import { callCommand } from '../support/call-command.js';
import { makeTemporaryDirectory } from '../support/embedded.js';
import { ask, post, startProgram } from '../support/program.js';
import type { Random } from '../random/random.js';
import type { Entity, Row } from './entity.js';
import { readFaults } from './read-faults.js';
import type { RandomTables, StoredTable } from './tables.js';
import { writeFaults } from './write-faults.js';

/** A database of a random test. */
export interface TestedDatabase {
  readonly url: string;
  /** Its schemas, if there are several. */
  readonly schemas: string;
  run(sql: string): Promise<void>;
  /** What the table contains, in a form that is equal for equal rows in any order. */
  contentOf(table: StoredTable): Promise<string>;
}

export async function checkDatabase(
  random: Random,
  { definitions, rows, tables }: RandomTables,
  open: () => Promise<TestedDatabase>,
): Promise<string[]> {
  const faults: string[] = [];
  const database = await open();
  for (const sql of [...definitions, ...rows]) await database.run(sql);
  const contents = () => Promise.all(tables.map((table) => database.contentOf(table)));
  const before = await contents();
  const folder = makeTemporaryDirectory();
  const file = join(folder, 'schema.yaml');
  const flags = database.schemas === '' ? [] : ['--schemas', database.schemas];
  const program = await startProgram(['--url', database.url, '--workers', '1', ...flags]);
  try {
    const entities = (await ask(program, '/entities')).json() as readonly Entity[];
    for (const entity of entities) {
      faults.push(...(await readFaults({ program, entities, random }, entity)));
      faults.push(...(await writeFaults(program, entity, random)));
    }
    const after = await contents();
    if (after.join('\n') !== before.join('\n')) {
      for (const [index, each] of before.entries()) {
        if (each !== after[index]) {
          faults.push(
            `rows that were written as they were read have changed: ${tables[index]?.sql}\n${each}\n${after[index]}`,
          );
        }
      }
    }
    const exported = await ask(program, '/stages/default/export');
    if (exported.status !== 200) faults.push(`export: ${exported.text}`);
    const made = await callCommand(['introspect', database.url, '--output', file, ...flags]);
    if (made.code !== 0) return [...faults, `introspect: ${made.stderr}`];
    const environment = { DATABASE_URL: database.url };
    for (const command of ['check', 'diff']) {
      const { code, stdout, stderr } = await callCommand([command, '--schema', file], environment);
      if (code !== 0) faults.push(`${command}: ${stdout}${stderr}`);
    }
    faults.push(...(await copyFaults(exported.text, { open, definitions, file, entities })));
  } finally {
    await program.stop();
  }
  return faults;
}

interface Copying {
  readonly open: () => Promise<TestedDatabase>;
  readonly definitions: readonly string[];
  /** The schema file. */
  readonly file: string;
  readonly entities: readonly Entity[];
}

/** Imports into equal tables, and into tables that `push` makes, in which generated columns are plain ones. */
async function copyFaults(exported: string, { open, definitions, file, entities }: Copying) {
  const faults: string[] = [];
  const equal = await open();
  for (const sql of definitions) await equal.run(sql);
  const pushed = await open();
  const environment = { DATABASE_URL: pushed.url };
  const push = await callCommand(['push', '--schema', file], environment);
  if (push.code !== 0) faults.push(`push: ${push.stdout}${push.stderr}`);
  else {
    const diff = await callCommand(['diff', '--schema', file], environment);
    const lines = diff.stdout.split('\n').filter((line) => !/^$|The view view \d+ does/.test(line));
    if (lines.length > 0 && !diff.stdout.startsWith('No diff')) {
      faults.push(`diff after push: ${diff.code} ${lines.join('\n')}${diff.stderr}`);
    }
  }
  for (const [what, { url }] of Object.entries({ equal, pushed })) {
    if (what === 'pushed' && push.code !== 0) continue;
    const flags = ['--schema', file];
    const program = await startProgram(['--url', url, '--workers', '1', ...flags]);
    try {
      const stored = await post(program, '/stages/default/import', exported);
      if (stored.status !== 200) faults.push(`import into the ${what} tables: ${stored.text}`);
      else {
        const again = await ask(program, '/stages/default/export');
        const left = what === 'pushed' ? generatedOf(entities) : new Map<string, Set<string>>();
        if (normal(again.text, left) !== normal(exported, left)) {
          faults.push(`the export from the ${what} tables differs:\n${exported}\n${again.text}`);
        }
      }
    } finally {
      await program.stop();
    }
  }
  return faults;
}

function generatedOf(entities: readonly Entity[]): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map(
    entities.map(({ name, properties }) => [
      name,
      new Set(properties.filter((each) => each.readOnly === true).map((each) => each.name)),
    ]),
  );
}

/** The entities and their rows, sorted, without these properties. */
function normal(document: string, left: ReadonlyMap<string, ReadonlySet<string>>): string {
  const { entities } = JSON.parse(document) as {
    readonly entities: readonly { readonly entity: string; readonly rows: readonly Row[] }[];
  };
  const lines = entities.map(({ entity, rows }) => {
    const texts = rows.map((row) =>
      JSON.stringify(Object.entries(row).filter(([name]) => left.get(entity)?.has(name) !== true)),
    );
    return [entity, ...texts.sort()].join('\n');
  });
  return lines.sort().join('\n');
}
