/** The engine's façade: what other folders may use of it. Nothing else is public. */
export { type CompileLimits, type CompileRequest, compileQuery } from './compile.js';
export type * from './compiled-query.js';
export * from './describe/constraints.js';
export * from './describe/metadata.js';
export * from './describe/model.js';
export * from './describe/parameters.js';
export * from './describe/plan.js';
export * from './describe/schema.js';
export * from './errors.js';
export * from './result/arguments.js';
export * from './result/data-value.js';
export * from './result/stitch.js';
export * from './result/writer.js';
export { type Catalog, createCatalog } from './schema/catalog.js';
export { type Environment, substitute } from './schema/environment.js';
export { checkSchema, loadSchema } from './schema/load.js';
export type * from './schema/model.js';
export { catalogUnderView } from './schema/views.js';
