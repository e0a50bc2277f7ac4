/** `rowgate push` and `rowgate drop`: bring each source's database in line with the schema. */
import {
  type DdlPlan,
  type DdlRequest,
  type DdlStep,
  storedMapping,
  planDrop,
  planPush,
  schemasOf,
  type Schema,
  type Source,
} from '../../engine/index.js';
import type { TableConnection } from '../database/table-connection.js';

/** What `push` and `drop` are given. */
export interface DdlTask {
  readonly schema: Schema;
  /** Opens a connection to a source; the task closes it. */
  readonly connect: (source: Source) => Promise<TableConnection>;
  /** Whether a source is meant; where this is absent, all are. */
  readonly concerns?: (source: Source) => boolean;
  /** Tells the statements and runs none. */
  readonly dryRun: boolean;
  /** Takes one line for a person at a time. */
  readonly say: (line: string) => void;
}

/**
 * Adds what the schema has and the databases lack, and says each step; a second run finds nothing to
 * do. Answers with the number of statements, which with `dryRun` were only said.
 */
export function push(task: DdlTask): Promise<number> {
  return applyDdl(task, planPush);
}

/**
 * Drops the tables that are there, with their rows, and says each step. A table that something else in
 * the database depends on stays, and with it, where the transaction is one, all the others of its
 * source. Answers with the number of statements, which with `dryRun` were only said.
 */
export function drop(task: DdlTask): Promise<number> {
  return applyDdl(task, planDrop);
}

/** Runs `plan` on each source, in one transaction where it can; answers with the number of statements. */
async function applyDdl(task: DdlTask, plan: (request: DdlRequest) => DdlPlan): Promise<number> {
  let count = 0;
  for (const source of task.schema.sources) {
    if (task.concerns?.(source) ?? true) count += await applyToSource(task, source, plan);
  }
  return count;
}

async function applyToSource(
  task: DdlTask,
  source: Source,
  plan: (request: DdlRequest) => DdlPlan,
): Promise<number> {
  const mapping = storedMapping(task.schema, source);
  const connection = await task.connect(source);
  try {
    return await connection.transaction(async () => {
      const existing = await connection.readTables(schemasOf(mapping, source.dialect));
      const collation = await connection.readCollation?.();
      const { dialect } = source;
      const { steps, remarks } = plan({
        mapping,
        dialect,
        existing,
        ...(collation && { collation }),
      });
      for (const step of steps) await applyStep(step, connection, task, source);
      for (const remark of remarks) task.say(`${source.name}: ${remark}`);
      if (steps.length === 0) task.say(`${source.name}: nothing to do`);
      return steps.length;
    });
  } finally {
    await connection.close();
  }
}

async function applyStep(
  step: DdlStep,
  connection: TableConnection,
  task: DdlTask,
  source: Source,
): Promise<void> {
  if (task.dryRun) {
    task.say(`-- ${source.name}: ${step.description}\n${step.sql};`);
    return;
  }
  try {
    await connection.execute(step.sql);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`${source.name}: ${step.description}: ${reason}`, { cause });
  }
  task.say(`${source.name}: ${step.description}`);
}
