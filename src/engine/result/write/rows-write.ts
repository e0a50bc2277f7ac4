/** The write of a sentence whose rows are those of the data. */
import type { Sentence } from '../../compiled-query.js';
import type { RowsWrite } from '../../compiled-write.js';
import { invariant } from '../../errors.js';

export function rowsWriteOf({ write }: Sentence): RowsWrite {
  invariant(write?.kind === 'rows', 'a sentence that writes rows of the data');
  return write;
}
