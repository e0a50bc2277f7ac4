/** The engine's façade: what other folders may use of it. Nothing else is public. */
export type * from './compiled-query.js';
export type { CompileLimits } from './compile.js';
export * from './errors.js';
export type * from './schema/model.js';
