/** The write of a statement whose rows are those of the data. */
import type { StatementPlan } from '../../compiled-query.js';
import type { RowsWrite } from '../../compiled-write.js';
import { invariant } from '../../errors.js';

export function rowsWriteOf({ write }: StatementPlan): RowsWrite {
  invariant(write?.kind === 'rows', 'a statement that writes rows of the data');
  return write;
}
