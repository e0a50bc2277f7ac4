/** Parses the rows that the scanner has cut out of a document. */
import {
  type DataObject,
  type DataValue,
  isDataObject,
  nameDataValue,
} from '../../engine/index.js';
import { parseBytes } from '../parse-data.js';
import { malformed } from './document-members.js';
import type { RowsPiece } from './scan-document.js';

/** A row of the document, and its place: `entities[3].rows[17]`. */
export interface PlacedRow {
  readonly object: DataObject;
  readonly place: string;
}

/** The rows of a piece. Throws `import-malformed` with the place of anything that is not a row. */
export function parseRows(piece: RowsPiece, placeOfList: string): readonly PlacedRow[] {
  const { bytes, first } = piece;
  const items = parseItems(bytes, first) ?? failedItems(piece, placeOfList);
  return items.map((object, index) => {
    const place = `${placeOfList}[${first + index}]`;
    if (isDataObject(object)) return { object, place };
    throw malformed(place, `A row must be an object, not ${nameDataValue(object)}.`);
  });
}

export function rowText({ bytes, ends }: RowsPiece, index: number): string {
  const start = index === 0 ? 0 : ends[index - 1];
  return bytes.toString('utf8', start, ends[index]).replace(/^[\s,]+/, '');
}

/** The items in this part of a list. A comma comes first, except at the start of the list. */
function parseItems(bytes: Buffer, before: number): readonly DataValue[] | undefined {
  const list = parseBytes(bytes, before === 0 ? '[' : '[null', ']');
  if (!Array.isArray(list)) return undefined;
  const items: readonly DataValue[] = list;
  return before === 0 ? items : items.slice(1);
}

/** Finds the first row that is not JSON, and throws. */
function failedItems({ bytes, ends, first, offset }: RowsPiece, placeOfList: string): never {
  let start = 0;
  let index = first;
  for (const end of ends) {
    if (!parseItems(bytes.subarray(start, end), index)) break;
    start = end;
    index += 1;
  }
  const detail = `The document is not valid JSON: see the text from byte ${offset + start}.`;
  throw malformed(`${placeOfList}[${index}]`, detail);
}
