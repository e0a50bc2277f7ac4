/** Chooses the writer for the rows of an answer by the form that the client asks for. */
import type { StatementPlan } from '../compiled-query.js';
import { type ByteFrame, type ByteWriter, createByteWriter } from './byte-writer.js';
import { createCsvWriter } from './csv-writer.js';
import type { Cipher } from '../values/evaluate/capabilities.js';
import { utf8Bytes } from './output-bytes.js';
import type { DecodeText } from './scalar-bytes.js';

/** `compact` and `pretty`: a JSON list. `lines`: a JSON object on each line. `csv`: RFC 4180. */
export const rowsForms = ['compact', 'pretty', 'lines', 'csv'] as const;

export type RowsForm = (typeof rowsForms)[number];

/** The functions of the runtime that the engine needs. */
export interface RowsSettings {
  readonly decode: DecodeText;
  readonly cipher: Cipher;
}

/**
 * Compiles the writer of a whole tree; for `csv`, the tree has no includes. The rows are the items of the
 * answer's list. If a write stores a single object, its row is the whole answer.
 */
export function createRowsWriter(
  statement: StatementPlan,
  form: RowsForm,
  { decode, cipher }: RowsSettings,
): ByteWriter {
  const { write } = statement;
  const depth = write?.kind === 'rows' && write.shape === 'one' ? -1 : 0;
  switch (form) {
    case 'compact':
    case 'pretty':
      return createByteWriter(statement, { pretty: form === 'pretty', depth, cipher }, decode);
    case 'lines':
      return linesOf(createByteWriter(statement, { pretty: false, cipher }, decode));
    case 'csv':
      return createCsvWriter(statement, decode, cipher);
  }
}

const nothing = new Uint8Array();
const lineEnd = utf8Bytes('\n');
const noFrame: ByteFrame = { open: nothing, separator: nothing, close: nothing, empty: nothing };

/** JSON escapes line breaks in a row, so each line is one row. */
function linesOf(writer: ByteWriter): ByteWriter {
  return {
    ...writer,
    frame: noFrame,
    row: (out, fetched, row) => {
      writer.row(out, fetched, row);
      out.constant(lineEnd);
    },
  };
}
