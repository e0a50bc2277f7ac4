/** `rowgate push` and `rowgate drop`: create and remove the tables of each source. */
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
import { connectTables } from '../database/drivers.js';
import type { TableConnection } from '../database/table-connection.js';

/** The task of `push` and `drop`. */
export interface DdlTask {
  readonly schema: Schema;
  /** Whether the task includes a source; by default it includes all. */
  readonly concerns?: (source: Source) => boolean;
  /** Whether the statements are only reported. */
  readonly dryRun: boolean;
  /** Receives one line of text at a time, for a person; after a step, with how many are done. */
  readonly say: (line: string, progress?: DdlProgress) => void;
}

/** The steps of a source. */
export interface DdlProgress {
  readonly done: number;
  readonly total: number;
}

/**
 * Adds what the schema has and the databases lack, and reports each step. A second run finds
 * nothing to do. Resolves to the number of statements, executed or (with `dryRun`) only reported.
 */
export function push(task: DdlTask): Promise<number> {
  return applyDdl(task, planPush);
}

/**
 * Drops the existing tables with their rows, and reports each step. If another table refers to one of them, all of them
 * stay. A table on which something else in the database depends stays; if the source drops tables in one transaction, all
 * of them stay.
 * Resolves to the number of statements, executed or (with `dryRun`) only reported.
 */
export function drop(task: DdlTask): Promise<number> {
  return applyDdl(task, planDrop);
}

/** In one transaction for each source, if its database can. Resolves to the number of statements. */
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
  const { dialect } = source;
  const mapping = storedMapping(task.schema, source);
  const connection = await connectTables(source);
  try {
    return await connection.transaction(async () => {
      const existing = await connection.readTables(schemasOf(mapping, dialect));
      const database = await connection.readDatabase?.();
      const { enums } = task.schema.domain;
      const own = { mapping, enums, dialect, existing, ...(database && { database }) };
      const { steps, remarks } = plan(own);
      for (const [index, step] of steps.entries()) {
        const line = await applyStep(step, connection, task, source);
        task.say(line, task.dryRun ? undefined : { done: index + 1, total: steps.length });
      }
      // The output of a dry run is a script.
      const comment = task.dryRun ? '-- ' : '';
      for (const remark of remarks) task.say(`${comment}${source.name}: ${remark}`);
      if (steps.length === 0) task.say(`${comment}${source.name}: nothing to do`);
      return steps.length;
    });
  } finally {
    await connection.close();
  }
}

/** Executes a step, and describes it. */
async function applyStep(
  step: DdlStep,
  connection: TableConnection,
  task: DdlTask,
  source: Source,
): Promise<string> {
  if (task.dryRun) return `-- ${source.name}: ${step.description}\n${step.sql};`;
  try {
    await connection.execute(step.sql);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`${source.name}: ${step.description}: ${reason}`, { cause });
  }
  return `${source.name}: ${step.description}`;
}
