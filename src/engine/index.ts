/** The engine's façade: what other folders may use of it. Nothing else is public. */
export { type CompileLimits, compileQuery } from './compile.js';
export type * from './compiled-query.js';
export type * from './compiled-write.js';
export type { ExistingTable } from './ddl/existing.js';
export { keptMapping } from './ddl/kept-mapping.js';
export { KEPT_ANSWERS_TABLE } from './ddl/kept-answers-table.js';
export { planDrop } from './ddl/plan-drop.js';
export { type DdlRequest, planPush } from './ddl/plan-push.js';
export type { DdlPlan, DdlStep } from './ddl/step.js';
export * from './describe/constraints.js';
export * from './describe/metadata.js';
export * from './describe/model.js';
export * from './describe/parameters.js';
export * from './describe/plan.js';
export * from './describe/schema.js';
export * from './errors.js';
export { dependencyOrder, referencesOf } from './exchange/dependency-order.js';
export { exportExpression, exportTrees } from './exchange/export-tree.js';
export * from './listeners/compile-listeners.js';
export { type ExecuteStep, executionOf } from './listeners/execute-step.js';
export * from './listeners/listener-values.js';
export { didYouMean } from './language/did-you-mean.js';
export * from './result/arguments.js';
export * from './result/byte-writer.js';
export * from './result/data-value.js';
export type { Capabilities, Cipher } from './result/evaluate/capabilities.js';
export { EvaluationError } from './result/evaluate/evaluation-error.js';
export { OutputBytes } from './result/output-bytes.js';
export { createPlainReader, type ReadPlainData } from './result/plain-data.js';
export * from './result/references.js';
export {
  type ByteRow,
  type Fields,
  fieldText,
  RowBytes,
  withoutFirst,
} from './result/row-bytes.js';
export { KeyReader, keyOfText, type RowKey } from './result/row-key.js';
export * from './result/rows-writer.js';
export * from './result/write/batch-rows.js';
export { mergedStatement, type RowBatch } from './result/write/row-batch.js';
export { postgresqlArray } from './sql/postgresql.js';
export * from './result/write/check-chosen.js';
export { valueAt } from './result/write/field-text.js';
export * from './result/write/look-up.js';
export * from './result/write/read-rows.js';
export * from './result/write/rows-write.js';
export * from './result/write/write-answer.js';
export { Texts } from './result/write/texts.js';
export * from './result/write/write-row.js';
export { type Catalog, createCatalog } from './schema/catalog.js';
export { type Environment, substitute } from './schema/environment.js';
export { catalogUnderView } from './schema/views.js';
export { checkSchema, loadSchema } from './schema/load.js';
export type * from './schema/model.js';
export { dialectOf } from './sql/dialects.js';
export { writeDialectOf } from './sql/write/write-dialects.js';
export { postgresql } from './sql/postgresql.js';
export * from './sql/write/mapped-table.js';
export type { RowTarget } from './sql/write/row-text.js';
export { writtenSql } from './sql/write/written-sql.js';
export { NumberedTable } from './numbered-table.js';
