/** The engine's façade: what other folders may use of it. Nothing else is public. */
export type * from './compiled-query.js';
export type { CompileLimits } from './compile.js';
export * from './errors.js';
export * from './result/arguments.js';
export * from './result/data-value.js';
export * from './result/stitch.js';
export * from './result/writer.js';
export type * from './schema/model.js';
