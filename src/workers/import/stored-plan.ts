/** Plans of rows whose values are those of the columns already, as a whole export has them. */
import type { CompiledQuery, RowsWrite, StatementPlan, WriteField } from '../../engine/index.js';

/** The plan with nothing in it that changes values on their way. */
export function storedPlan(plan: CompiledQuery): CompiledQuery {
  return { ...plan, root: storedStatement(plan.root) };
}

function storedStatement(statement: StatementPlan): StatementPlan {
  const { write, includes } = statement;
  return {
    ...statement,
    ...(write?.kind === 'rows' && { write: storedWrite(write) }),
    includes: includes.map((each) => ({ ...each, statement: storedStatement(each.statement) })),
  };
}

/** Constraints and defaults over what is stored otherwise are not made for these values. */
function storedWrite(write: RowsWrite): RowsWrite {
  const changed = new Set(
    write.fields.flatMap(({ property, writeValue, writeExp }) =>
      writeValue || writeExp ? [property] : [],
    ),
  );
  if (changed.size === 0) return write;
  return {
    ...write,
    fields: write.fields.map(storedField),
    conditions: write.conditions.filter(({ reads }) => !reads.some((name) => changed.has(name))),
  };
}

/** Instead of a default that is computed, the value must be given. */
function storedField(field: WriteField): WriteField {
  const { writeValue: _value, writeExp: _sql, default: fallback, ...own } = field;
  if (fallback?.kind !== 'expression') return { ...own, ...(fallback && { default: fallback }) };
  return { ...own, value: { kind: 'parameter', path: [field.property] } };
}
