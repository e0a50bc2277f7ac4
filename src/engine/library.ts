/**
 * The package `rowgate/engine`: the compiler alone, without a database or a server. These exports are public,
 * and change only with the version of the package; those of `index.ts` serve the other folders.
 */
export { compileQuery as compile, type CompileRequest } from './compile.js';
export type { CompileLimits } from './compile-limits.js';
export type * from './compiled-query.js';
export type * from './compiled-write.js';
export { describeParameters, type ParameterField } from './describe/parameters.js';
export { describePlan, type PlanNode } from './describe/plan.js';
export { EngineError, type EngineErrorCode, type Position, type Problem } from './errors.js';
export { checkSchema, loadSchema } from './load/load.js';
export { type Catalog, createCatalog } from './schema/catalog.js';
export { type Environment, substitute } from './schema/environment.js';
export type * from './schema/model.js';
