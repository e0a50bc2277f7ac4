/**
 * Checks foreign keys of rows that were inserted while MySQL or MariaDB did not check them. The
 * referring values are collected in temporary tables, and looked up when all rows are there.
 */
import { addToGroup } from '../add-to-group.js';
import { dialectOf, type Fields } from '../../engine/index.js';
import { SourceError } from '../database/source-error.js';
import { plain, type Statement } from '../database/statement.js';
import { writtenTexts } from '../database/read-texts.js';
import type { ImportEntity } from './import-entity.js';
import {
  createTuples,
  defaultsOf,
  placeOfTuple,
  recordTuples,
  type Tuple,
  type TupleTable,
  valueOf,
} from './recorded-tuples.js';
import type { ImportRow } from './row-reader.js';
import type { Run } from './source-import.js';

/** A foreign key of the database, and the temporary table with its values. */
interface Reference extends TupleTable {
  /** The property of each column, if it has one. */
  readonly properties: readonly (string | undefined)[];
  /** Whether a column has a default. */
  readonly defaults: readonly boolean[];
  /** The table that it refers to, as SQL. */
  readonly target: string;
  readonly targets: readonly string[];
}

const { quoteAlias } = dialectOf('MariaDB');

export class MysqlReferences {
  readonly #run: Run;
  readonly #known = new Map<ImportEntity, readonly Reference[]>();

  constructor(run: Run) {
    this.#run = run;
  }

  async add(entity: ImportEntity, rows: readonly ImportRow[]): Promise<void> {
    const references = this.#known.get(entity) ?? (await this.#open(entity));
    for (const reference of references) {
      await recordTuples(this.#run, reference, tuplesOf(reference, rows));
    }
  }

  /** Throws `foreign-key-violation`. Referenced rows are locked until the end. */
  async check(faultOf: (error: SourceError, entity: ImportEntity) => unknown): Promise<void> {
    for (const [entity, references] of this.#known) {
      for (const reference of references) {
        const [dangling] = await this.#run([danglingStatement(reference)]);
        if (!dangling || dangling.rows.length === 0) continue;
        const { columns } = reference;
        const violation = { table: entity.write.storedTable, columns, values: [] };
        const [[line = null] = []] = writtenTexts(dangling);
        const place = await placeOfTuple(this.#run, reference, line);
        const options = { sqlstate: '23000', violation, place };
        throw faultOf(new SourceError('foreign-key-violation', options), entity);
      }
    }
  }

  async #open(entity: ImportEntity): Promise<readonly Reference[]> {
    const { storedSchema = null, storedTable, table } = entity.write;
    const [found] = await this.#run([plain(REFERENCES, [storedSchema, storedTable])]);
    const references: Reference[] = [];
    for (const each of referencesIn(writtenTexts(found), entity)) {
      await createTuples(this.#run, each, table);
      references.push({ ...each, defaults: await defaultsOf(this.#run, each) });
    }
    this.#known.set(entity, references);
    return references;
  }
}

/** Reads the columns of a table's foreign keys, one in each row. */
const REFERENCES = `
SELECT CONSTRAINT_NAME, COLUMN_NAME, REFERENCED_TABLE_SCHEMA, REFERENCED_TABLE_NAME, REFERENCED_COLUMN_NAME
FROM information_schema.KEY_COLUMN_USAGE
WHERE TABLE_SCHEMA = COALESCE(?, DATABASE()) AND TABLE_NAME = ? AND REFERENCED_TABLE_NAME IS NOT NULL
ORDER BY CONSTRAINT_NAME, ORDINAL_POSITION`;

function referencesIn(
  rows: readonly Fields[],
  entity: ImportEntity,
): readonly Omit<Reference, 'defaults'>[] {
  const byName = new Map<string, Fields[]>();
  for (const row of rows) addToGroup(byName, row[0] ?? '', row);
  return [...byName.values()].map((parts, index) => {
    const [[, , schema = null, table = null] = []] = parts;
    const columns = parts.map(([, column]) => column ?? '');
    const fields = columns.map((column) => entity.fieldOfColumn(column));
    return {
      name: `rowgate_import_${entity.number}_${index}`,
      columns,
      types: fields.map((field) => field?.type),
      properties: fields.map((field) => field?.property),
      target: [schema, table].map((name) => quoteAlias(name ?? '')).join('.'),
      targets: parts.map((part) => part[4] ?? ''),
    };
  });
}

/** Each combination of values once, at its first place. A combination with a null refers to nothing. */
function tuplesOf(reference: Reference, rows: readonly ImportRow[]): readonly Tuple[] {
  const tuples = new Map<string, Tuple>();
  for (const row of rows) {
    const values = referringValues(reference, row);
    const key = JSON.stringify(values);
    if (values && !tuples.has(key)) tuples.set(key, { values, place: row.row.place });
  }
  return [...tuples.values()];
}

/** The values of a row's foreign key; undefined if one of them is null. */
function referringValues(
  { properties, defaults }: Reference,
  row: ImportRow,
): Tuple['values'] | undefined {
  const values = properties.map((name) => (name === undefined ? undefined : valueOf(row, name)));
  const isNull = values.some(
    (value, index) => value === null || (value === undefined && !defaults[index]),
  );
  return isNull ? undefined : values.map((value) => value ?? undefined);
}

function danglingStatement({ name, targets, target }: Reference): Statement {
  const joined = targets.map((column, index) => `target.${quoteAlias(column)} = child.c${index}`);
  const [first = ''] = targets;
  return plain(
    `SELECT child.line FROM ${name} AS child LEFT JOIN ${target} AS target ` +
      `ON ${joined.join(' AND ')} WHERE target.${quoteAlias(first)} IS NULL LIMIT 1 LOCK IN SHARE MODE`,
  );
}
