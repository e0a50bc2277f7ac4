/**
 * Renders statements that answer several waiting requests of one query at once, where that is possible.
 * A read by key takes an IN-list of keys; any other read runs once for each row of a derived table of
 * arguments, or as a UNION ALL.
 */
import type {
  InListStatement,
  BatchStatements,
  DerivedTableStatement,
  StatementPlan,
} from '../compiled-query.js';
import type { BoundSelect } from '../query/logical.js';
import { sameBound } from '../query/same-bound.js';
import type { Dialect } from '../dialects/dialect.js';
import { dialectOf } from '../dialects/dialects.js';
import { overArguments } from './derived-table.js';
import { isList, isOfRequest } from './request-arguments.js';
import { type FoundKey, simpleKey } from './batch-key.js';
import { outputsOf } from './outputs.js';
import { knownArguments } from './placeholders.js';
import { renderColumn } from './render-expression.js';
import { renderSelect } from './render-select.js';
import { contextOf, joinedKeysStatement, unionStatement } from './union-statements.js';

/** The batch statements of a query; undefined if its requests must run one by one. */
export function batchStatementsOf(
  select: BoundSelect,
  root: StatementPlan,
): BatchStatements | undefined {
  const dialect = dialectOf(root.dialect);
  if (computes(root) || !root.arguments.some(isOfRequest)) return undefined;
  if (root.arguments.some(isList) || root.includes.some((each) => differs(each.statement, root))) {
    return undefined;
  }
  const found = simpleKey(select);
  const inList = found && inListStatement(select, found, dialect);
  if (dialect.hasLateral) {
    const derivedTable = derivedTableStatement(select, root, dialect);
    return { derivedTable, ...(inList && { inList }) };
  }
  if (inList?.type === 'integer') return { inList };
  const joinedKeys = found && joinedKeysStatement(select, found, dialect);
  if (joinedKeys) return { joinedKeys };
  const union = unionStatement(select, dialect);
  return union && { union };
}

/** Whether Rowgate computes values from the rows: an error would then fail all requests of a batch. */
function computes({ columns, includes }: StatementPlan): boolean {
  return columns.some(({ read }) => read) || includes.some(({ statement }) => computes(statement));
}

/**
 * Whether included rows must be fetched for each request alone, because their statement depends on the
 * request.
 */
function differs(child: StatementPlan, root: StatementPlan): boolean {
  if (child.source !== root.source || child.arguments.some(isOfRequest)) return true;
  return child.includes.some(({ statement }) => differs(statement, root));
}

function inListStatement(
  select: BoundSelect,
  found: FoundKey,
  dialect: Dialect,
): InListStatement | undefined {
  const { column, rest, path } = found;
  const outputs = outputsOf(select, undefined);
  const context = contextOf(select, dialect);
  const isInteger = column.type === 'integer';
  // Integers are compared by their digits; the column may be a decimal, which has other texts.
  const digits = dialect.cast(renderColumn(context, column), 'integer');
  const keyColumn = isInteger
    ? outputs.length
    : outputs.findIndex(({ value }) => sameBound(value, column));
  if (keyColumn === -1) return undefined;
  const text = renderSelect(context, {
    select: { ...select, filter: rest },
    outputs,
    batchKey: column,
    ...(isInteger && { ordinal: digits }),
  });
  if (context.arguments.some(isOfRequest)) return undefined;
  const parameter = path.join('.');
  return { text, arguments: context.arguments, parameter, type: column.type, keyColumn };
}

function derivedTableStatement(
  select: BoundSelect,
  root: StatementPlan,
  dialect: Dialect,
): DerivedTableStatement {
  const known = knownArguments(dialect, select.grouped);
  return overArguments(dialect, root.arguments, (placeholderOverride) => {
    const context = { ...contextOf(select, dialect), placeholderOverride, ...known };
    const outputs = outputsOf(select, undefined);
    const inner = renderSelect(context, { select, outputs });
    return { head: 'SELECT t.*, batch.ord', tail: ` CROSS JOIN LATERAL (${inner}) AS t` };
  });
}
