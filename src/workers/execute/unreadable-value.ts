/** Finds the value of a row that the database could not read, by the placeholder that it names. */
import type { RowBatch, RowsWrite, WriteRow } from '../../engine/index.js';
import type { SourceError } from '../database/source-error.js';

/** The error with the column of the value and, if it is known, the place of its row. */
export function unreadableValue(
  error: SourceError,
  { fields, storedTable }: RowsWrite,
  batch: RowBatch,
): SourceError {
  const { rows, likeness } = batch;
  const { positions } = likeness.textOf(rows.length);
  const position = positions[(error.parameter ?? 0) - 1];
  const field = position === undefined ? undefined : fields[position];
  if (position === undefined || !field) return error;
  const violation = { table: storedTable, columns: [field.storedColumn], values: [] };
  // A list of values is one parameter: only its message may tell which of them it was.
  const message = error.cause instanceof Error ? error.cause.message : '';
  const isQuoted = ({ given, defaults }: WriteRow): boolean => {
    const text = given.at(position) ?? defaults.at(position);
    return typeof text === 'string' && message.endsWith(`: "${text}"`);
  };
  const [row, other] = rows.length === 1 ? rows : rows.filter(isQuoted);
  return error.with({ violation, place: other ? undefined : row?.place });
}
