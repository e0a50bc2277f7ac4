/** The rows that the scanner has cut out of a document, as objects. */
import {
  type DataObject,
  type DataValue,
  isDataObject,
  nameDataValue,
} from '../../engine/index.js';
import { malformed } from './document-members.js';
import { parseJson } from './parse-json.js';
import type { RowsPiece } from './scan-document.js';

/** Some rows of one list. */
export interface ParsedRows {
  readonly rows: readonly DataObject[];
  /** The number of the first in its list, from 0. */
  readonly first: number;
  /** Where the list stands: `entities[3].rows`. */
  readonly place: string;
}

/** The rows of a piece. Throws `import-malformed` with the place of what is not a row. */
export function parseRows(piece: RowsPiece, place: string): ParsedRows {
  const { bytes, first } = piece;
  const rows: DataObject[] = [];
  for (const item of parseItems(bytes, first) ?? failedItems(piece, place)) {
    if (!isDataObject(item)) {
      const detail = `A row must be an object, not ${nameDataValue(item)}.`;
      throw malformed(`${place}[${first + rows.length}]`, detail);
    }
    rows.push(item);
  }
  return { rows, first, place };
}

/** The items in these bytes of a list; behind others they begin with a comma. */
function parseItems(bytes: Buffer, before: number): readonly DataValue[] | undefined {
  const list = parseJson(bytes, before === 0 ? '[' : '[null', ']');
  if (!Array.isArray(list)) return undefined;
  const items: readonly DataValue[] = list;
  return before === 0 ? items : items.slice(1);
}

/** Finds the first row that is not JSON, and throws. */
function failedItems({ bytes, ends, first, offset }: RowsPiece, place: string): never {
  let start = 0;
  let index = first;
  for (const end of ends) {
    if (!parseItems(bytes.subarray(start, end), index)) break;
    start = end;
    index += 1;
  }
  const detail = `The document is not JSON: see what begins at byte ${offset + start}.`;
  throw malformed(`${place}[${index}]`, detail);
}
