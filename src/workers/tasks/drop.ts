/** `rowgate drop`: removes the schema's tables, with their rows, from each source's database. */
import { planDrop } from '../../engine/index.js';
import { applyDdl, type DdlTask } from './apply-ddl.js';

/**
 * Drops the tables that are there and says each step. A table that something else in the database
 * depends on stays, and with it, where the transaction is one, all the others of its source. Answers
 * with the number of statements, which with `dryRun` were only said.
 */
export function drop(task: DdlTask): Promise<number> {
  return applyDdl(task, planDrop);
}
