/** Plans for rows whose values are the stored ones, as in a complete export. */
import type { CompiledQuery, RowsWrite, StatementPlan, WriteField } from '../../engine/index.js';

/** The plan without anything that changes values. */
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

/** Constraints and defaults that read a property with a different stored value do not apply. */
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

/** A computed default is replaced by an error that requires the value. */
function storedField(field: WriteField): WriteField {
  const { writeValue: _value, writeExp: _sql, default: fallback, ...own } = field;
  if (fallback?.kind !== 'expression') return { ...own, ...(fallback && { default: fallback }) };
  return { ...own, value: { kind: 'parameter', path: [field.property] } };
}
