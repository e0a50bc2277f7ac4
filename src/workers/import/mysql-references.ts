/**
 * Checks foreign keys of rows that were inserted while MySQL or MariaDB did not check them. The
 * referring values are collected in temporary tables, and looked up when all rows are there.
 */
import { dialectOf, type Fields } from '../../engine/index.js';
import { SourceError } from '../database/source-error.js';
import { plain, type Statement, type Written } from '../database/statement.js';
import { writtenTexts } from './written-texts.js';
import type { ImportEntity } from './import-entity.js';
import { type ImportRow, textOf } from './row-reader.js';

type Run = (statements: readonly Statement[]) => Promise<readonly Written[]>;

/** A foreign key of the database. */
interface Reference {
  /** The temporary table with its values. */
  readonly name: string;
  readonly columns: readonly string[];
  /** The property of each column; undefined if rows of an import cannot have it. */
  readonly properties: readonly (string | undefined)[];
  readonly target: string;
  readonly targets: readonly string[];
}

const { quoteAlias, scalar } = dialectOf('MariaDB');
const { rowsAtOnce } = dialectOf('MariaDB').writes;

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
      const tuples = tuplesOf(reference, entity, rows);
      for (let start = 0; start < tuples.length; ) {
        const count = rowsAtOnce(tuples.length - start, reference.columns.length);
        await this.#run([noteStatement(reference, tuples.slice(start, start + count))]);
        start += count;
      }
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
        const place = await this.#placeOf(reference, line);
        const options = { sqlstate: '23000', violation, place };
        throw faultOf(new SourceError('foreign-key-violation', options), entity);
      }
    }
  }

  /** The place that a line was recorded with. */
  async #placeOf({ name }: Reference, line: string | null): Promise<string | undefined> {
    const rows = `FROM ${name} WHERE line`;
    const last = `${rows} <= ? AND places IS NOT NULL ORDER BY line DESC LIMIT 1`;
    const [found] = await this.#run([plain(`SELECT line, places ${last}`, [line])]);
    const [[first = null, places] = []] = writtenTexts(found);
    // A server may number lines in steps.
    const [counted] = await this.#run([
      plain(`SELECT count(*) ${rows} BETWEEN ? AND ?`, [first, line]),
    ]);
    const [[count] = []] = writtenTexts(counted);
    return places?.split('\n')[Number(count) - 1];
  }

  async #open(entity: ImportEntity): Promise<readonly Reference[]> {
    const { storedTable, table } = entity.write;
    const [found] = await this.#run([{ text: REFERENCES, parameters: [storedTable] }]);
    const references = referencesIn(writtenTexts(found), entity).filter(({ properties }) =>
      properties.every((property) => property !== undefined),
    );
    this.#known.set(entity, references);
    for (const { name, columns } of references) {
      const list = columns.map((column, index) => `${quoteAlias(column)} AS c${index}`).join(', ');
      // A server may be configured to refuse tables without a primary key.
      const key = 'line BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY';
      const own = `${key}, places MEDIUMTEXT`;
      const text = `CREATE TEMPORARY TABLE ${name} (${own}) SELECT ${list} FROM ${table} LIMIT 0`;
      await this.#run([{ text, parameters: [] }]);
    }
    return references;
  }
}

/** Reads the columns of a table's foreign keys, one in each row. */
const REFERENCES = `
SELECT CONSTRAINT_NAME, COLUMN_NAME, REFERENCED_TABLE_NAME, REFERENCED_COLUMN_NAME
FROM information_schema.KEY_COLUMN_USAGE
WHERE TABLE_SCHEMA = DATABASE() AND REFERENCED_TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ?
ORDER BY CONSTRAINT_NAME, ORDINAL_POSITION`;

function referencesIn(rows: readonly Fields[], { fields, number }: ImportEntity): Reference[] {
  const byName = new Map<string, Fields[]>();
  for (const row of rows) byName.set(row[0] ?? '', [...(byName.get(row[0] ?? '') ?? []), row]);
  return [...byName.values()].map((parts, index) => {
    const columns = parts.map(([, column]) => column ?? '');
    // Column names ignore case.
    const properties = columns.map(
      (column) =>
        fields.find(({ storedColumn }) => storedColumn.toLowerCase() === column.toLowerCase())
          ?.property,
    );
    const target = parts[0]?.[2] ?? '';
    const targets = parts.map((part) => part[3] ?? '');
    return { name: `rowgate_import_${number}_${index}`, columns, properties, target, targets };
  });
}

/** The values of a row's foreign key. */
interface Tuple {
  readonly values: readonly string[];
  readonly place: string;
}

/** Each combination of values once, at its first place. A combination with a null refers to nothing. */
function tuplesOf(
  { properties }: Reference,
  { fields }: ImportEntity,
  rows: readonly ImportRow[],
): readonly Tuple[] {
  const types = properties.map((name) => fields.find(({ property }) => property === name)?.type);
  const tuples = new Map<string, Tuple>();
  for (const { row } of rows) {
    const values = properties.flatMap((property, index) => {
      const text = textOf(row, property ?? '') ?? null;
      return text === null ? [] : [scalar(text, types[index] ?? 'string')];
    });
    if (values.length < properties.length) continue;
    const key = JSON.stringify(values);
    if (!tuples.has(key)) tuples.set(key, { values, place: row.place });
  }
  return [...tuples.values()];
}

/** The first line has the places of all, because a place in each line takes longer. */
function noteStatement({ name, columns }: Reference, tuples: readonly Tuple[]): Statement {
  const values = columns.map(() => '?').join(', ');
  const into = `${name} (places, ${columns.map((_, index) => `c${index}`).join(', ')})`;
  const rows = tuples.map((_, index) => `(${index === 0 ? '?' : 'NULL'}, ${values})`);
  const text = `INSERT INTO ${into} VALUES ${rows.join(', ')}`;
  const places = tuples.map(({ place }) => place).join('\n');
  return { text, parameters: [places, ...tuples.flatMap((tuple) => tuple.values)] };
}

function danglingStatement({ name, targets, target }: Reference): Statement {
  const joined = targets.map((column, index) => `target.${quoteAlias(column)} = child.c${index}`);
  const [first = ''] = targets;
  const text =
    `SELECT child.line FROM ${name} AS child LEFT JOIN ${quoteAlias(target)} AS target ` +
    `ON ${joined.join(' AND ')} WHERE target.${quoteAlias(first)} IS NULL LIMIT 1 LOCK IN SHARE MODE`;
  return { text, parameters: [] };
}
