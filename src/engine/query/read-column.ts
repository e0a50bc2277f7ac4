/**
 * Determines the expression that a property of a row is read as. The layers of a schema build on each
 * other: the stored column, the mapping's expression, the domain's and the view's. An expression in one
 * layer reads the row as the layer below presents it.
 */
import { EngineError, type Span } from '../errors.js';
import type { Expression } from '../language/ast.js';
import { areComparable, nameType } from './types.js';
import { hasColumn } from '../schema/derive-property.js';
import type { Property } from '../schema/model.js';
import { boundNull, condition, noSpan } from './added.js';
import { bindOverRow } from './bind-over-row.js';
import { asStored, typeOf } from './bind-operators.js';
import { enumTexts } from './enum-values.js';
import type { Bound, BoundColumn, BoundOutput, BoundReading, RowSource } from './logical.js';
import { orInvalid } from './schema-expression.js';
import type { BindContext, NamedPlace, ReadLayer } from './scope.js';
import { namesIn } from './write/constraints.js';
import { valueExpression } from './write/evaluable.js';

/** The expression of a property of a row; undefined if the row shows no property of that name. */
export function columnOf(
  context: BindContext,
  row: RowSource,
  name: string,
  span: Span,
): Bound | undefined {
  const { layer = 'view' } = context;
  const value = readAt(context, row, { name, span }, layer);
  if (!value || layer !== 'view') return value;
  const property = context.catalog.unrestricted.property(row.entity.name, name);
  if (property?.readValue === undefined || viewExpression(context, row, name)) return value;
  return bindReadValue(context, row, property, value);
}

/** All properties that a row shows. */
export function allProperties(context: BindContext, row: RowSource): BoundOutput[] {
  return row.entity.properties.flatMap(({ name }) => {
    const value = columnOf(context, row, name, noSpan);
    return value ? [{ name, value }] : [];
  });
}

/** The column in which a property is stored; undefined if it has none. */
export function storedColumn(
  row: RowSource,
  property: Property | undefined,
  span: Span,
): BoundColumn | undefined {
  const mapped = property && hasColumn(property) && row.location.columns.get(property.name);
  if (!mapped) return undefined;
  const { name, type, required } = property;
  const isKey = required || row.entity.primaryKey.includes(name);
  return {
    kind: 'column',
    row,
    property: name,
    column: mapped.mapping,
    type,
    nullable: row.optional || !isKey,
    ...(type === 'string' && property.enum !== undefined && { enumName: property.enum }),
    span,
  };
}

const below = { view: 'domain', domain: 'mapping', mapping: 'stored' } as const;

function readAt(
  context: BindContext,
  row: RowSource,
  place: NamedPlace,
  layer: ReadLayer,
): Bound | undefined {
  const { name, span } = place;
  const property = propertyAt(context, row, name, layer);
  if (!property) return undefined;
  if (layer === 'stored') {
    const column = storedColumn(row, property, span);
    if (!column) return undefined;
    // The column may have another type than the mapping's expression converts it to.
    const { untyped } = context;
    if (untyped?.row === row && untyped.name === name)
      return { ...column, type: 'any', isUntyped: true };
    const enumValues = column.enumName && enumTexts(context.catalog, property);
    return enumValues ? { ...column, enumValues } : column;
  }
  const text = expressionAt(context, row, property, layer);
  if (text !== undefined) return bindRead(context, row, { property, text, layer, span });
  const value = readAt(context, row, place, below[layer]);
  // A property that only Rowgate computes has no column; the database returns null.
  return !value && layer === 'domain' ? { kind: 'null', span } : value;
}

function propertyAt(
  { catalog }: BindContext,
  row: RowSource,
  name: string,
  layer: ReadLayer,
): Property | undefined {
  if (layer === 'view') return row.entity.properties.find((each) => each.name === name);
  const own = catalog.unrestricted.property(row.entity.name, name);
  return own ?? (layer === 'domain' ? undefined : row.location.columns.get(name));
}

function expressionAt(
  context: BindContext,
  row: RowSource,
  { name, readExp }: Property,
  layer: Exclude<ReadLayer, 'stored'>,
): string | undefined {
  switch (layer) {
    case 'view':
      return viewExpression(context, row, name);
    case 'domain':
      return readExp;
    case 'mapping':
      return row.location.columns.get(name)?.readMappingExp;
  }
}

function viewExpression({ catalog }: BindContext, row: RowSource, name: string) {
  const entity = catalog.activeView?.entities.find((each) => each.name === row.entity.name);
  return entity?.properties.find((each) => each.name === name)?.readExp;
}

interface Read {
  readonly property: Property;
  readonly text: string;
  readonly layer: Exclude<ReadLayer, 'stored'>;
  readonly span: Span;
}

function bindRead(context: BindContext, row: RowSource, read: Read): Bound {
  const { property, text, layer, span } = read;
  const what = `${layer === 'mapping' ? 'readMappingExp' : 'readExp'} of property '${property.name}' of entity '${row.entity.name}'`;
  return orInvalid(what, text, () => {
    const untyped = layer === 'mapping' ? { row, name: property.name } : undefined;
    // Expressions of the schema may read what a view hides.
    const catalog = context.catalog.unrestricted;
    const inner = { ...context, catalog, layer: below[layer], untyped };
    const value = { ...bindOverRow(inner, row, text), span };
    return whenPresent(row, fitting(value, property), property);
  });
}

/** A value that is null if the row is absent, even if the expression is a constant. */
function whenPresent(row: RowSource, value: Bound, { type }: Property): Bound {
  const { span } = value;
  const left = value.kind === 'column' ? undefined : presenceOf(row, span);
  if (!left) return value;
  const test = condition('!=', left, boundNull, span);
  const branches = { consequent: value, alternate: boundNull };
  return { kind: 'conditional', test, ...branches, type: typeOf(value) ?? type, span };
}

/** A column that is null only if the row is absent; undefined if the row is always there. */
function presenceOf(row: RowSource, span: Span): BoundColumn | undefined {
  if (!row.optional || row.presence === undefined) return undefined;
  return storedColumn(row, row.location.columns.get(row.presence), span);
}

/** The value as one of its property. Throws `type-mismatch` for a value of another type. */
export function fitting(bound: Bound, { type }: Property): Bound {
  const found = typeOf(bound);
  if (found === undefined || areComparable(type, found)) return asStored(bound, type);
  const message = `It returns ${nameType(found)}, but the property is ${nameType(type)}.`;
  throw new EngineError('type-mismatch', message);
}

/** Binds a property that Rowgate computes from a row after reading it; the database returns `stored` in its place. */
function bindReadValue(
  context: BindContext,
  row: RowSource,
  { name, type, readValue = '' }: Property,
  stored: Bound,
): BoundReading {
  const { catalog } = context;
  const { span } = stored;
  const what = `readValue of property '${name}' of entity '${row.entity.name}'`;
  return orInvalid(what, readValue, () => {
    const expression = valueExpression({ catalog, entity: row.entity }, readValue, moments);
    const inputs = namesIn(expression).map((each) => {
      const value = each === name ? stored : readAt(context, row, { name: each, span }, 'domain');
      if (value) return { name: each, value };
      throw new EngineError('unknown-property', `It reads '${each}', which is not a property.`);
    });
    const entity = row.entity.name;
    const reading = { kind: 'reading', entity, property: name, stored, type, span } as const;
    const value = presenceOf(row, span);
    if (!value) return { ...reading, expression, inputs };
    const presence = { name: PRESENCE, value };
    return { ...reading, expression: ifPresent(expression), inputs: [...inputs, presence] };
  });
}

/** An expression that is null if the input that tells whether the row is present is null. */
function ifPresent(expression: Expression): Expression {
  const { span } = expression;
  const left: Expression = { kind: 'name', name: PRESENCE, span };
  const nothing: Expression = { kind: 'null', span };
  const operator = { operator: '==', operatorSpan: span } as const;
  const test: Expression = { kind: 'binary', ...operator, left, right: nothing, span };
  return { kind: 'conditional', test, consequent: nothing, alternate: expression, span };
}

/** No property has this name. */
const PRESENCE = '(presence)';

const moments = ['now', 'today', 'curTime'];
