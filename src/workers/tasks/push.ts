/** `rowgate push`: adds to each source's database what the schema has and the database lacks. */
import { planPush } from '../../engine/index.js';
import { applyDdl, type DdlTask } from './apply-ddl.js';

/**
 * Adds what is missing and says each step; a second run finds nothing to do. Answers with the
 * number of statements, which with `dryRun` were only said.
 */
export function push(task: DdlTask): Promise<number> {
  return applyDdl(task, planPush);
}
