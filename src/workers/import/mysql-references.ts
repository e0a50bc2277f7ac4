/**
 * Checks foreign keys of rows that were inserted while MySQL or MariaDB did not check them. The
 * referring values are collected in temporary tables, and looked up when all rows are there.
 */
import { dialectOf, type Fields } from '../../engine/index.js';
import { SourceError } from '../database/source-error.js';
import { plain, type Statement } from '../database/statement.js';
import { writtenTexts } from './written-texts.js';
import type { ImportEntity } from './import-entity.js';
import {
  createTuples,
  placeOfTuple,
  recordTuples,
  type Run,
  type Tuple,
  type TupleTable,
  valuesOf,
} from './recorded-tuples.js';
import type { ImportRow } from './row-reader.js';

/** A foreign key of the database, and the temporary table with its values. */
interface Reference extends TupleTable {
  /** The property of each column. */
  readonly properties: readonly string[];
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

  /** Records the references of an entity's rows. */
  async add(entity: ImportEntity, rows: readonly ImportRow[]): Promise<void> {
    const references = this.#known.get(entity) ?? (await this.#open(entity));
    for (const reference of references) {
      await recordTuples(this.#run, reference, tuplesOf(reference, rows));
    }
  }

  /**
   * Throws `foreign-key-violation` if a referenced row is missing. Referenced rows are locked until
   * the end.
   */
  async check(faultOf: (error: SourceError, entity: ImportEntity) => unknown): Promise<void> {
    for (const [entity, references] of this.#known) {
      for (const reference of references) {
        const [dangling] = await this.#run([danglingStatement(reference)]);
        if (!dangling || dangling.rows.length === 0) continue;
        const violation = {
          table: entity.write.storedTable,
          columns: reference.columns,
          values: [],
        };
        const [[line = null] = []] = writtenTexts(dangling);
        const place = await placeOfTuple(this.#run, reference, line);
        const options = { sqlstate: '23000', violation, place };
        throw faultOf(new SourceError('foreign-key-violation', options), entity);
      }
    }
  }

  async #open(entity: ImportEntity): Promise<readonly Reference[]> {
    const { storedTable, table } = entity.write;
    const [found] = await this.#run([plain(REFERENCES, [storedTable])]);
    const references = referencesIn(writtenTexts(found), entity);
    this.#known.set(entity, references);
    for (const reference of references) await createTuples(this.#run, reference, table);
    return references;
  }
}

/** Reads the columns of a table's foreign keys, one in each row. */
const REFERENCES = `
SELECT CONSTRAINT_NAME, COLUMN_NAME, REFERENCED_TABLE_NAME, REFERENCED_COLUMN_NAME
FROM information_schema.KEY_COLUMN_USAGE
WHERE TABLE_SCHEMA = DATABASE() AND REFERENCED_TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ?
ORDER BY CONSTRAINT_NAME, ORDINAL_POSITION`;

function referencesIn(rows: readonly Fields[], entity: ImportEntity): Reference[] {
  const byName = new Map<string, Fields[]>();
  for (const row of rows) byName.set(row[0] ?? '', [...(byName.get(row[0] ?? '') ?? []), row]);
  return [...byName.values()].flatMap((parts, index) => {
    const columns = parts.map(([, column]) => column ?? '');
    const properties = columns.flatMap((column) => propertyOf(entity, column) ?? []);
    // Rows of an import cannot have it.
    if (properties.length < columns.length) return [];
    const target = parts[0]?.[2] ?? '';
    const targets = parts.map((part) => part[3] ?? '');
    const name = `rowgate_import_${entity.number}_${index}`;
    return [{ name, columns, properties, target, targets }];
  });
}

/** Column names ignore case. */
function propertyOf({ fields }: ImportEntity, column: string): string | undefined {
  const isNamed = (stored: string) => stored.toLowerCase() === column.toLowerCase();
  return fields.find(({ storedColumn }) => isNamed(storedColumn))?.property;
}

/** Each combination of values once, at its first place. A combination with a null refers to nothing. */
function tuplesOf({ properties }: Reference, rows: readonly ImportRow[]): readonly Tuple[] {
  const tuples = new Map<string, Tuple>();
  for (const row of rows) {
    const values = valuesOf(row, properties);
    const key = JSON.stringify(values);
    if (values && !tuples.has(key)) tuples.set(key, { values, place: row.row.place });
  }
  return [...tuples.values()];
}

function danglingStatement({ name, targets, target }: Reference): Statement {
  const joined = targets.map((column, index) => `target.${quoteAlias(column)} = child.c${index}`);
  const [first = ''] = targets;
  const text =
    `SELECT child.line FROM ${name} AS child LEFT JOIN ${quoteAlias(target)} AS target ` +
    `ON ${joined.join(' AND ')} WHERE target.${quoteAlias(first)} IS NULL LIMIT 1 LOCK IN SHARE MODE`;
  return { text, parameters: [] };
}
