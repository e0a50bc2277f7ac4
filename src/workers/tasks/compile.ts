/** Compiles an expression for the gateway's cache. */
import { type CompiledQuery, compileQuery } from '../../engine/index.js';
import type { Context } from '../context.js';

/** What is to be compiled. */
export interface CompileTask {
  readonly expression: string;
  readonly stage: string;
  readonly view: string;
}

/** Throws an `EngineError` with the place of the fault. */
export function compile(context: Context, task: CompileTask): CompiledQuery {
  const { expression, stage, view } = task;
  const { limits } = context.settings;
  return compileQuery(context.catalog, { expression, stage, view, limits });
}
