/**
 * The cursors of pages: a hash of the sort and the sort keys of the last row of a page, as JSON in
 * base64url. They are not secret: a forged cursor only reads rows that the query returns anyway.
 */
import {
  type ByteRow,
  type ByteWriter,
  type CompiledQuery,
  type CursorPlan,
  type DataValue,
  EngineError,
  fieldText,
  isDataObject,
  type ParameterValues,
  scalarEncoder,
} from '../../engine/index.js';
import { decodeText } from '../decode-text.js';
import { SourceError } from '../database/source-error.js';
import { readableData } from '../parse-data.js';

/** Proxies and clients limit the headers of an answer. */
const LENGTH_MAX = 6000;

/** Records the sort keys of the last row of a full page while the page is written. */
export class PageCursor {
  readonly #plan: CursorPlan;
  readonly #rowsMax: number;
  #rows = 0;
  #keys: string | undefined;

  constructor(plan: CursorPlan, values: ParameterValues) {
    this.#plan = plan;
    this.#rowsMax = rowsMaxOf(plan, values);
  }

  /** The writer of the rows, which also counts them. */
  watch(writer: ByteWriter): ByteWriter {
    return {
      ...writer,
      row: (out, fetched, row) => {
        writer.row(out, fetched, row);
        this.#rows += 1;
        const last = this.#rows === this.#rowsMax && fetched.rows.at(row);
        if (last) this.#keys = keysOf(this.#plan, last);
      },
    };
  }

  /** The rows are written again from the start. */
  restart(): void {
    this.#rows = 0;
    this.#keys = undefined;
  }

  /** The cursor of the next page; undefined if this page is not full. Throws `text-too-long`. */
  next(): string | undefined {
    if (this.#keys === undefined) return undefined;
    const cursor = Buffer.from(this.#plan.mark + this.#keys).toString('base64url');
    if (cursor.length <= LENGTH_MAX) return cursor;
    const detail = 'The sort keys of the last row are too long for a cursor.';
    throw new SourceError('text-too-long', { detail });
  }
}

/** Throws `value-out-of-range` for NaN and infinities, which JSON does not have. */
function keysOf({ column, types }: CursorPlan, row: ByteRow): string {
  const keys = types.map((type, index) => {
    const text = fieldText(row, column + index, decodeText);
    // MySQL and MariaDB compare the stored texts of intervals.
    const encode = scalarEncoder(type === 'interval' ? 'string' : type);
    const key = text === null ? 'null' : encode(text);
    if (text === null || key !== 'null') return key;
    const detail = `A cursor cannot contain the sort key ${text}.`;
    throw new SourceError('value-out-of-range', { detail });
  });
  return `[${keys.join()}]`;
}

function rowsMaxOf({ take }: CursorPlan, { texts }: ParameterValues): number {
  if (take.kind === 'literal') return take.value;
  const text = texts.get(take.path.join('.'));
  return typeof text === 'string' ? Number(text) : Infinity;
}

/** Replaces the cursor by the list of its parts. Throws `parameter-type` if it is not of this query. */
export function openCursor(
  { cursor: plan }: CompiledQuery,
  data: DataValue | undefined,
): DataValue | undefined {
  if (!plan || !isDataObject(data)) return data;
  return replaced(data, plan.parameter.split('.'), (value) => partsOf(plan, value));
}

function replaced(
  data: DataValue,
  [name = '', ...path]: readonly string[],
  change: (value: DataValue) => DataValue,
): DataValue {
  const value = isDataObject(data) && Object.hasOwn(data, name) ? data[name] : undefined;
  if (value === undefined || value === null) return data;
  return {
    ...(isDataObject(data) ? data : {}),
    [name]: path.length > 0 ? replaced(value, path, change) : change(value),
  };
}

function partsOf({ mark, parameter, types }: CursorPlan, cursor: DataValue): DataValue {
  const text = typeof cursor === 'string' ? Buffer.from(cursor, 'base64url').toString() : '';
  const keys = text.startsWith(mark) ? readableData(text.slice(mark.length)) : undefined;
  const parts: readonly DataValue[] = Array.isArray(keys) ? keys : [];
  if (parts.length === types.length) return parts;
  const message = `Parameter '${parameter}' must be a cursor from a page of this query with the same sort.`;
  throw new EngineError('parameter-type', message, { place: `data.${parameter}` });
}
