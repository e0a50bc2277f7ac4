/** The engine's exports for the other folders of Rowgate, which import nothing else of it. */
export { compileQuery } from './compile.js';
export { type CompileLimits, defaultCompileLimits } from './compile-limits.js';
export type * from './compiled-query.js';
export type * from './compiled-write.js';
export type { ExistingColumn, ExistingTable } from './ddl/existing.js';
export { schemasOf } from './ddl/find-table.js';
export { storedMapping } from './ddl/stored-mapping.js';
export { IDEMPOTENCY_TABLE } from './ddl/table.js';
export { type Drift, findDrift } from './drift/find-drift.js';
export { findUnmapped } from './drift/find-unmapped.js';
export { type RightProbe, rightProbes } from './drift/right-probes.js';
export { clauseWords } from './query/clauses.js';
export { functionNames } from './query/functions/table.js';
export { draftDocument } from './introspect/draft-document.js';
export { draftSchema } from './introspect/draft-schema.js';
export type { Remark, SchemaDraft } from './introspect/schema-draft.js';
export { planDrop } from './ddl/plan-drop.js';
export { type DdlRequest, type OwnDatabase, planPush } from './ddl/plan-push.js';
export type { DdlPlan, DdlStep } from './ddl/table.js';
export * from './describe/constraints.js';
export * from './describe/metadata.js';
export * from './describe/model.js';
export * from './describe/parameters.js';
export * from './describe/plan.js';
export * from './describe/schema.js';
export type {
  EntityDescription,
  PropertyDescription,
  RelationDescription,
} from './describe/project-entity.js';
export * from './errors.js';
export { dependencyOrder, referencesOf } from './schema/dependency-order.js';
export { exportExpression, exportTrees } from './transfer/export-tree.js';
export * from './listeners/compile-listeners.js';
export { type ExecuteStep, executionOf } from './listeners/execute-step.js';
export * from './listeners/listener-values.js';
export { didYouMean, nearest } from './language/did-you-mean.js';
export * from './query/lift-literals.js';
export { keyHolder } from './schema/key-holder.js';
export * from './input/arguments.js';
export * from './result/byte-writer.js';
export { CURSOR_NAME } from './sql/outputs.js';
export { dataJson } from './values/data-json.js';
export * from './values/data-value.js';
export type { Capabilities, Cipher } from './values/evaluate/capabilities.js';
export { EvaluationError } from './values/evaluate/evaluation-error.js';
export { OutputBytes } from './result/output-bytes.js';
export { withoutImpossibleKeys } from './input/impossible-keys.js';
export { createPlainReader, type ReadPlainData } from './input/plain-data.js';
export * from './input/references.js';
export { refuseUnused } from './input/refuse-unused.js';
export {
  type ByteRow,
  type Fields,
  fieldLength,
  fieldText,
  RowBytes,
  withoutFirst,
} from './result/row-bytes.js';
export { KeyReader, keyOfText, type RowKey } from './result/row-key.js';
export * from './result/rows-writer.js';
export * from './input/rows/batch-rows.js';
export { type ColumnNumbers, mergedStatement, type RowBatch } from './input/rows/row-batch.js';
export { columnArrays, postgresqlArray } from './dialects/postgresql/array-literal.js';
export * from './input/rows/check-filtered-write.js';
export { scalarEncoder } from './values/scalar-json.js';
export * from './input/rows/look-up.js';
export * from './input/rows/read-rows.js';
export * from './input/rows/write-facts.js';
export * from './result/write-answer.js';
export { Texts } from './input/rows/texts.js';
export * from './input/rows/write-row.js';
export { type Catalog, createCatalog, requireStage, wholeCatalog } from './schema/catalog.js';
export { type Environment, substitute, substituteText } from './schema/environment.js';
export { tlsProblem } from './schema/tls-problem.js';
export { catalogUnderView } from './schema/views.js';
export { checkSchema, loadSchema } from './load/load.js';
export type * from './schema/model.js';
export { moveSequenceSql, sequenceSql } from './dialects/postgresql/sequence.js';
export { quoteTable } from './dialects/table-name.js';
export { dialectOf } from './dialects/dialects.js';
export { canonicalText } from './values/canonical-text.js';
export { keyInDialect, tupleInDialect } from './input/key-in-dialect.js';
export * from './sql/write/mapped-table.js';
export type { RowTarget } from './sql/write/row-text.js';
export { writtenSql } from './sql/write/written-sql.js';
export { NumberedTable } from './numbered-table.js';
