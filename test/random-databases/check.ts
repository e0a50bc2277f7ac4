/** What must hold for any database that Rowgate serves without a schema file. */
import { join } from 'node:path';
import { makeTemporaryDirectory } from '../support/embedded.js';
import { ask, post, type Program, runCommand, startProgram } from '../support/program.js';
import type { Random } from '../random/random.js';
import type { RandomTables, StoredTable } from './tables.js';

/** A database of a random test. */
export interface TestedDatabase {
  readonly url: string;
  /** Its schemas, if there are several. */
  readonly schemas: string;
  run(sql: string): Promise<void>;
  /** What the table contains, in a form that is equal for equal rows in any order. */
  contentOf(table: StoredTable): Promise<string>;
}

interface Entity {
  readonly name: string;
  readonly primaryKey: readonly string[];
  readonly properties: readonly PropertyShape[];
  readonly relations: readonly { readonly name: string; readonly type: string }[];
  readonly view?: boolean;
}

interface PropertyShape {
  readonly name: string;
  readonly type: string;
  readonly readOnly?: boolean;
}

type Row = Readonly<Record<string, unknown>>;

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
      faults.push(...(await readFaults(program, entity)));
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
    const made = await runCommand(['introspect', database.url, '--output', file, ...flags]);
    if (made.code !== 0) return [...faults, `introspect: ${made.stderr}`];
    const environment = { DATABASE_URL: database.url };
    for (const command of ['check', 'diff']) {
      const { code, stdout, stderr } = await runCommand([command, '--schema', file], environment);
      if (code !== 0) faults.push(`${command}: ${stdout}${stderr}`);
    }
    faults.push(...(await copyFaults(exported.text, { open, definitions, file, entities })));
  } finally {
    await program.stop();
  }
  return faults;
}

async function readFaults(program: Program, { name, properties, relations, primaryKey }: Entity) {
  const faults: string[] = [];
  const all = await rowsOf(program, name);
  if (typeof all === 'string') return [`${name}: ${all}`];
  for (const relation of relations) {
    const included = await rowsOf(program, `${name}.include(r=>r.${relation.name})`);
    if (typeof included === 'string') faults.push(`${name}.${relation.name}: ${included}`);
    else if (included.length !== all.length) faults.push(`${name}.${relation.name}: other rows`);
    else if (relation.type === 'manyToOne') {
      for (const row of included) {
        if (!Array.isArray(row[relation.name])) faults.push(`${name}.${relation.name}: no list`);
      }
    }
  }
  const [first] = all;
  for (const { name: property } of properties) {
    const sorted = await rowsOf(program, `${name}.sort(r=>r.${property})`);
    if (typeof sorted === 'string' && !/ 4\d\d /.test(` ${sorted}`)) {
      faults.push(`${name}.sort(${property}): ${sorted}`);
    }
    const value = first?.[property];
    if (value === undefined || value === null) continue;
    const found = await rowsOf(program, `${name}.filter(r=>r.${property}==v)`, { v: value });
    if (typeof found === 'string') {
      if (!/"unsupported"|can only be compared with null/.test(found)) {
        faults.push(`${name}.filter(${property}==${JSON.stringify(value)}): ${found}`);
      }
    } else if (!found.some((row) => JSON.stringify(row) === JSON.stringify(first))) {
      faults.push(`${name}.filter(${property}==${JSON.stringify(value)}) does not find its row`);
    }
  }
  if (primaryKey.length > 0) {
    for (const row of all) {
      const condition = primaryKey.map((key, index) => `r.${key}==k${index}`).join(' && ');
      const data = Object.fromEntries(primaryKey.map((key, index) => [`k${index}`, row[key]]));
      const found = await rowsOf(program, `${name}.filter(r=>${condition})`, data);
      if (typeof found === 'string' || JSON.stringify(found) !== JSON.stringify([row])) {
        faults.push(`${name} by key ${JSON.stringify(row)}: ${JSON.stringify(found)}`);
      }
    }
  }
  return faults;
}

/** Writes rows as they were read. */
async function writeFaults(program: Program, entity: Entity, random: Random) {
  const faults: string[] = [];
  const { name, primaryKey, properties } = entity;
  const all = await rowsOf(program, name);
  if (typeof all === 'string' || primaryKey.length === 0) return faults;
  for (const row of random.some(all, 3)) {
    const given = Object.fromEntries(
      properties
        .filter((property) => property.readOnly !== true)
        .map((property) => [property.name, row[property.name]]),
    );
    for (const clause of ['update', 'upsert'] as const) {
      const answer = await post(program, '/execute', { query: `${name}.${clause}()`, data: given });
      if (answer.status !== 200) {
        faults.push(`${name}.${clause}(${JSON.stringify(given)}): ${answer.status} ${answer.text}`);
      }
    }
    const again = await post(program, '/execute', { query: `${name}.insert()`, data: given });
    if (again.status !== 409) {
      faults.push(`${name}.insert(${JSON.stringify(given)}): ${again.status} ${again.text}`);
    }
    const query = `${name}.delete()`;
    const gone = await post(program, '/execute', { query, data: given });
    if (gone.status === 409) continue;
    const back = await post(program, '/execute', { query: `${name}.insert()`, data: given });
    if (gone.status !== 200 || back.status !== 200) {
      faults.push(`${name}.delete and insert(${JSON.stringify(given)}): ${gone.text} ${back.text}`);
    }
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
  const push = await runCommand(['push', '--schema', file], environment);
  if (push.code !== 0) faults.push(`push: ${push.stdout}${push.stderr}`);
  else {
    const diff = await runCommand(['diff', '--schema', file], environment);
    const lines = diff.stdout
      .split('\n')
      .filter((line) => !/^$|The table view \d+ does/.test(line));
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

async function rowsOf(
  program: Program,
  query: string,
  data?: unknown,
): Promise<readonly Row[] | string> {
  const answer = await post(program, '/execute', { query, data });
  return answer.status === 200
    ? (answer.json() as readonly Row[])
    : `${answer.status} ${answer.text}`;
}
