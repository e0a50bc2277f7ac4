/** A statement, and the rows that it writes. */
import type { RowsWrite } from '../../compiled-write.js';
import { isNumeric } from '../../query/types.js';
import type { DialectName } from '../../schema/model.js';
import { dialectOf } from '../../dialects/dialects.js';
import type { ParameterizedStatement } from '../arguments.js';
import type { ReadyStatement, ReadyText, RowLikeness } from './row-likeness.js';
import type { WriteRow } from './write-row.js';

/** The stored name of a column, and the number that each row of a batch stores in it. */
export interface ColumnNumbers {
  readonly column: string;
  readonly numbers: readonly (string | null)[];
}

export class RowBatch {
  readonly likeness: RowLikeness;
  readonly rows: readonly WriteRow[];
  readonly #dialect: DialectName;
  readonly #text: ReadyText;

  constructor(dialect: DialectName, likeness: RowLikeness, rows: readonly WriteRow[]) {
    this.likeness = likeness;
    this.rows = rows;
    this.#dialect = dialect;
    this.#text = likeness.textOf(rows.length);
  }

  /** Whether the first returned column is the row's number, counted from 1. */
  get isNumbered(): boolean {
    return this.#text.isNumbered;
  }

  /** Whether the statement may fail because the database considers keys equal whose texts differ. */
  get mayRepeatKey(): boolean {
    return this.rows.length > 1 && this.likeness.mayRepeatKey;
  }

  /** Whether the rows cannot be read back, so that they are returned as they were sent. */
  get isEchoed(): boolean {
    return this.#text.isEchoed;
  }

  get statement(): ParameterizedStatement {
    return statementOf(this.#dialect, this.#text, this.rows);
  }

  /** The statement that reads the rows afterwards, if the first one does not return them. */
  get reread(): ParameterizedStatement | undefined {
    const { reread } = this.#text;
    return reread && statementOf(this.#dialect, reread, this.rows.slice(0, 1));
  }

  alone(row: number): ParameterizedStatement {
    return this.#single(this.likeness.textOf(1), row);
  }

  /** For an upsert: the INSERT of one of the rows, whose error names the duplicate key. */
  get inserted(): ((row: number) => ParameterizedStatement) | undefined {
    const { insertTextOf } = this.likeness;
    return insertTextOf && ((row) => this.#single(insertTextOf(1), row));
  }

  /** The numbers that it stores as they are. */
  numbersOf(write: RowsWrite): readonly ColumnNumbers[] {
    const isKey = (name: string): boolean =>
      (this.likeness.mustExist || write.action === 'update') && write.primaryKey.includes(name);
    return this.#text.positions.flatMap((position) => {
      const field = write.fields[position];
      if (!field || !isNumeric(field.type) || field.writeExp || isKey(field.property)) return [];
      const numbers = this.rows.map(
        ({ given, defaults }) => given.at(position) ?? defaults.at(position) ?? null,
      );
      return [{ column: field.storedColumn, numbers }];
    });
  }

  #single(text: ReadyStatement, row: number): ParameterizedStatement {
    return statementOf(this.#dialect, text, this.rows.slice(row, row + 1));
  }
}

/** One INSERT for the rows of several batches with the same likeness; undefined if there is none. */
export function mergedStatement(
  dialect: DialectName,
  { merged }: RowLikeness,
  batches: readonly RowBatch[],
): ParameterizedStatement | undefined {
  return (
    merged &&
    statementOf(
      dialect,
      merged,
      batches.flatMap(({ rows }) => rows),
    )
  );
}

/** The statement for rows. If it takes lists, its text contains their types. */
function statementOf(
  name: DialectName,
  ready: ReadyStatement,
  rows: readonly WriteRow[],
): ParameterizedStatement {
  const { text, types } = ready;
  const { lists } = dialectOf(name).writes;
  const [only] = rows;
  if (only && rows.length === 1) {
    const parameters = rowTexts(name, ready, only);
    return lists ? { text, parameters } : { text, parameters, types };
  }
  const texts = rows.map((row) => rowTexts(name, ready, row));
  if (lists) return { text, parameters: lists.parameters(texts) };
  return { text, parameters: texts.flat(), types: rows.flatMap(() => types) };
}

function rowTexts(
  name: DialectName,
  { positions, types }: ReadyStatement,
  { given, defaults }: WriteRow,
): (string | null)[] {
  const dialect = dialectOf(name);
  return positions.map((position, index) => {
    const value = given.at(position) ?? defaults.at(position) ?? null;
    return value === null ? null : dialect.scalar(value, types[index] ?? 'any');
  });
}
