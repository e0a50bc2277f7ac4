/** The columns that a map selects, and the relations among them. */
import type { Expression } from '../../../src/engine/language/ast.js';
import type { Entity } from '../world/domain.js';
import { callsOn, type Clauses, optionalLambdaOf } from './clauses.js';

export interface Column {
  readonly name: string;
  readonly value: Expression;
}

/** A map; `variable` is the name of the row in its columns. */
export interface MapShape {
  readonly variable: string | undefined;
  readonly columns: readonly Column[];
  /** Whole relations, by their names in the answer. */
  readonly relations: readonly Column[];
}

/** The map of `map`, `distinct`, `first` or `last`; all properties if there is none. */
export function mapOf(clauses: Clauses, entity: Entity): MapShape {
  const names = ['map', 'distinct', 'first', 'last'];
  const lambda = names
    .map((name) => clauses.one(name))
    .map((clause) => clause && optionalLambdaOf(clause))
    .find((each) => each !== undefined);
  if (!lambda) return { variable: 'p', columns: allOf(entity, 'p'), relations: [] };
  const { body, parameter = '' } = lambda;
  const entries = entriesOf(body);
  const shape = { columns: [] as Column[], relations: [] as Column[] };
  for (const entry of entries) {
    const isRow = entry.value.kind === 'name' && entry.value.name === parameter;
    if (isRow) shape.columns.push(...allOf(entity, parameter));
    else if (isRelation(entity, parameter, entry.value)) shape.relations.push(entry);
    else shape.columns.push(entry);
  }
  return { variable: parameter, ...shape };
}

function entriesOf(body: Expression): readonly Column[] {
  if (body.kind === 'object') return body.entries.map(({ key, value }) => ({ name: key, value }));
  const inList = body.kind === 'list';
  const items = inList ? body.items : [body];
  return items.map((value) => ({ name: nameOf(value, inList), value }));
}

/**
 * The name of a value: that of the property, all names of a path in a list, or that of the function.
 */
function nameOf(value: Expression, inList: boolean): string {
  if (value.kind === 'call' || value.kind === 'name') {
    return value.kind === 'call' && isClause(value.name)
      ? nameOf(callsOn(value).head, false)
      : value.name;
  }
  if (value.kind !== 'member') return '';
  const { object, name } = value;
  return inList && object.kind === 'member' ? `${nameOf(object, true)}_${name}` : name;
}

function isClause(name: string): boolean {
  return ['filter', 'map', 'sort', 'page', 'include', 'take', 'select', 'where', 'order'].includes(
    name,
  );
}

/** Whether the value is `p.category`, with or without clauses, and not a property. */
function isRelation(entity: Entity, variable: string, value: Expression): boolean {
  const { head, calls } = callsOn(value);
  if (head.kind !== 'member' || head.object.kind !== 'name' || head.object.name !== variable)
    return false;
  const isKnown = entity.relations.some(({ name }) => name === head.name);
  return isKnown && calls.every(({ name }) => isClause(name));
}

function allOf(entity: Entity, variable: string): readonly Column[] {
  const span = { start: 0, end: 0 };
  const object = { kind: 'name', name: variable, span } as const;
  return entity.properties.map(({ name }) => {
    return { name, value: { kind: 'member', object, name, nameSpan: span, span } as const };
  });
}
