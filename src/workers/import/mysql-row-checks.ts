/** Records the keys of imported rows that must be checked when all rows are there, on MySQL or MariaDB. */
import type { ImportEntity } from './import-entity.js';
import {
  createTuples,
  placeOfTuple,
  recordTuples,
  type TupleTable,
  valueOf,
} from './recorded-tuples.js';
import { checkRows, unknownKey } from './row-checks.js';
import type { ImportRow } from './row-reader.js';
import type { Run } from './source-import.js';

export class MysqlRowChecks {
  readonly #run: Run;
  readonly #tables = new Map<ImportEntity, TupleTable>();

  constructor(run: Run) {
    this.#run = run;
  }

  /** Records the keys of an entity's rows. Throws `import-invalid` if one is not known. */
  async add(entity: ImportEntity, rows: readonly ImportRow[]): Promise<void> {
    const { checks, primaryKey } = entity.write;
    if (!checks) return;
    const table = this.#tables.get(entity) ?? (await this.#open(entity));
    const tuples = rows.map((row) => {
      const values = primaryKey.flatMap((name) => valueOf(row, name) ?? []);
      if (values.length < primaryKey.length) throw unknownKey(entity, row.row.place);
      return { values, place: row.row.place };
    });
    await recordTuples(this.#run, table, tuples);
  }

  /** Throws for the first row that does not pass its checks, or is not found. */
  async check(): Promise<void> {
    for (const [entity, table] of this.#tables) {
      const keys = { table: table.name, found: 'line' };
      const placeOf = (line: string | null) => placeOfTuple(this.#run, table, line);
      await checkRows(this.#run, entity, keys, { leftOut: 0, placeOf });
    }
  }

  async #open(entity: ImportEntity): Promise<TupleTable> {
    const { number, write } = entity;
    const fields = write.primaryKey.flatMap((name) => entity.field(name) ?? []);
    if (fields.length < write.primaryKey.length) throw unknownKey(entity);
    const table = {
      name: `rowgate_import_${number}_keys`,
      columns: fields.map(({ storedColumn }) => storedColumn),
      types: fields.map(({ type }) => type),
    };
    await createTuples(this.#run, table, write.table);
    this.#tables.set(entity, table);
    return table;
  }
}
