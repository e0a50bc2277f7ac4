/** The place in which an expression is evaluated: what its names refer to. */
import type {
  Expression,
  LambdaExpression,
  MemberExpression,
  NameExpression,
} from '../../../src/engine/language/ast.js';
import { type Domain, type Entity, entityNamed } from '../world/domain.js';
import { type Data, isDataObject } from './data.js';
import { jsonPart } from './json-value.js';
import { relatedRows, type Row, type Tables } from './tables.js';
import { dataValue, isArrayValue, type Value } from './value.js';

/** A variable and its row; the row is undefined if a join found none. */
export interface Variable {
  readonly entity: Entity;
  readonly row: Row | undefined;
}

/** The value of an expression in a place. */
export type Evaluate = (place: Place, expression: Expression) => Value;

export interface Place {
  readonly evaluate: Evaluate;
  readonly domain: Domain;
  readonly tables: Tables;
  readonly data: Data;
  readonly variables: ReadonlyMap<string, Variable>;
  /** The names that the map defines, for the variable of a sort or having. */
  readonly outputs?: {
    readonly variable: string | undefined;
    readonly names: ReadonlyMap<string, Expression>;
  };
  /** The places of the rows of a group, where aggregates are allowed. */
  readonly group?: readonly Place[];
  /** Whether null equals null and nothing else, as where Rowgate evaluates an expression itself. */
  readonly nullsEqual?: true;
  /** Whether powers with whole exponents are exact, as where Rowgate computes a value of an insert. */
  readonly hasExactPowers?: true;
}

/** The place of the body of a lambda whose variable is that row. */
export function within(place: Place, { parameter }: LambdaExpression, variable: Variable): Place {
  const { outputs: _outputs, group: _group, ...kept } = place;
  const variables = new Map(place.variables);
  if (parameter !== undefined) variables.set(parameter, variable);
  return { ...kept, variables };
}

/** The names of `a.b.c`; undefined for other expressions. */
export function namesOf(expression: Expression): readonly string[] | undefined {
  if (expression.kind === 'name') return [expression.name];
  if (expression.kind !== 'member') return undefined;
  const before = namesOf(expression.object);
  return before && [...before, expression.name];
}

/** The expression that the map gave that name, if the path is one. */
export function outputOf({ outputs }: Place, names: readonly string[]): Expression | undefined {
  const [first, second = '', ...more] = names;
  return outputs && outputs.variable === first && more.length === 0
    ? outputs.names.get(second)
    : undefined;
}

/** The value of a property or a parameter. */
export function valueAt(place: Place, names: readonly string[]): Value {
  const [first = '', ...rest] = names;
  const variable = place.variables.get(first);
  if (!variable) return dataValue(dataAt(place.data, names));
  let at = variable;
  for (const [index, name] of rest.entries()) {
    const isRelation = at.entity.relations.some((each) => each.name === name);
    if (!isRelation) return partOf(at.row?.get(name) ?? null, rest.slice(index + 1));
    at = joined(place, at, name);
  }
  return null;
}

/** The item of an array, or the part of JSON, at a path; without one, the value itself. */
function partOf(value: Value, [name, ...rest]: readonly string[]): Value {
  if (name === undefined) return value;
  if (isArrayValue(value)) return value.items[Number(name)] ?? null;
  return partOf(jsonPart(value, name), rest);
}

/** Whether the expression is a parameter of the query. */
export function isParameter(
  place: Place,
  expression: Expression,
): expression is NameExpression | MemberExpression {
  const [first] = namesOf(expression) ?? [];
  return first !== undefined && !place.variables.has(first);
}

export function dataAt(data: Data, names: readonly string[]): Data | undefined {
  return names.reduce<Data | undefined>(
    (at, name) => (isDataObject(at) ? at[name] : undefined),
    data,
  );
}

/** The row that a relation to one row leads to. */
function joined(place: Place, { entity, row }: Variable, name: string): Variable {
  const relation = entity.relations.find((each) => each.name === name);
  if (!relation) throw new Error(`${entity.name} has no relation ${name}`);
  const [target] = row ? relatedRows(place.tables, row, relation) : [];
  return { entity: entityNamed(place.domain, relation.entity), row: target };
}

/** The rows of `p.details`; undefined if the expression is not a relation to many. */
export function manyAt(place: Place, expression: Expression): readonly Variable[] | undefined {
  const [first = '', ...rest] = namesOf(expression) ?? [];
  const variable = place.variables.get(first);
  if (!variable || rest.length === 0) return undefined;
  const isOne = ({ entity }: Variable, name: string) =>
    entity.relations.some((each) => each.name === name);
  let at = variable;
  for (const name of rest.slice(0, -1)) {
    if (!isOne(at, name)) return undefined;
    at = joined(place, at, name);
  }
  const relation = at.entity.relations.find((each) => each.name === rest.at(-1));
  if (!relation?.isMany) return undefined;
  const entity = entityNamed(place.domain, relation.entity);
  const rows = at.row ? relatedRows(place.tables, at.row, relation) : [];
  return rows.map((row) => ({ entity, row }));
}
