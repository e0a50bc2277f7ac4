/** `writeExp`: the SQL that the schema puts around a value where it is written. */
import { EngineError } from '../../errors.js';
import type { Property } from '../../schema/model.js';
import { createAliases } from '../../sql/aliases.js';
import { dialectOf } from '../../dialects/dialects.js';
import { renderValue } from '../../sql/render-expression.js';
import { literalSql } from '../../sql/write/literal-sql.js';
import { bindExpression } from '../bind-expression.js';
import { typeOf } from '../bind-operators.js';
import type { Bound, BoundColumn, RowSource } from '../logical.js';
import { invalidExpression, parseOverRow } from '../schema-expression.js';
import { type BindContext, innerScope, outermostScope } from '../scope.js';
import { areComparable, nameType } from '../types.js';

/** Stands for the value; it is no letter of SQL. */
const MARK = '\u0000';

/** The pieces of SQL between which the value stands. Throws `schema-invalid`. */
export function writeExpOf(
  context: BindContext,
  row: RowSource,
  property: Property,
): readonly string[] {
  const { name, writeExp = '' } = property;
  try {
    const bound = bindOver(context, row, writeExp);
    const found = typeOf(bound);
    if (found !== undefined && !areComparable(property.type, found)) {
      const message = `It gives ${nameType(found)}, and the property is ${nameType(property.type)}.`;
      throw new EngineError('type-mismatch', message);
    }
    const sql = renderValue(renderingOf(row, name), bound);
    return sql.split(MARK);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const what = `writeExp of property '${name}' of entity '${row.entity.name}'`;
    throw invalidExpression(what, writeExp, error);
  }
}

function bindOver(context: BindContext, row: RowSource, text: string): Bound {
  const { parameter, body } = parseOverRow(text);
  const inner: BindContext = { ...context, layer: 'stored', nullParameters: new Set() };
  const aggregates = { refused: 'An aggregate cannot stand here.' };
  return bindExpression(innerScope(outermostScope(inner), parameter, row, { aggregates }), body);
}

function renderingOf({ location }: RowSource, name: string) {
  const { dialect } = location.source;
  return {
    dialect: dialectOf(dialect),
    aliases: createAliases(),
    arguments: [],
    placeholderOverride: literalSql(dialect),
    columnText: (column: BoundColumn) => {
      if (column.property === name) return MARK;
      const message = `It reads '${column.property}', and only '${name}' itself is known.`;
      throw new EngineError('unsupported', message);
    },
  };
}
