/** The fields of written rows: each property with its column, limits and default. */
import type { ChangingExpression, FieldValue } from '../../compiled-write.js';
import type { Entity, Property } from '../../schema/model.js';
import { enumTexts } from '../enum-values.js';
import type { RowSource } from '../logical.js';
import { keyText } from '../rows.js';
import type { BindContext } from '../scope.js';
import { orInvalid } from '../schema-expression.js';
import { namesIn } from './constraints.js';
import { valueExpression } from './evaluable.js';
import { propertyDefault } from './property-default.js';
import { bindWriteExp } from './bind-write-exp.js';
import type { BoundField } from './bound-write.js';

/**
 * The fields of an entity in the order of its properties, then those that the view hides but that have a default,
 * and hidden ones with a fixed value, which may belong to the mapping alone. `valueOf` says where each value comes from.
 */
export function fieldsOf(
  context: BindContext,
  row: RowSource,
  valueOf: (property: Property) => FieldValue,
): BoundField[] {
  const { entity, location } = row;
  const whole = wholeOf(context, entity);
  const visible = entity.properties.map((property) =>
    fieldOf(context, row, original(whole, property), property.view ? none : valueOf(property)),
  );
  const columns = [...location.columns.values()];
  const hidden = [
    ...whole.properties.filter((each) => each.default !== undefined && !isFixed(row, each)),
    ...columns.filter(({ key }) => key !== undefined),
  ].filter(({ name }) => entity.properties.every((property) => property.name !== name));
  const untold = hidden.map((property) => fieldOf(context, row, property, none));
  return [...visible, ...untold.map((field) => ({ ...field, hidden: true as const }))];
}

/** The entity with what the view hides. */
export function wholeOf({ catalog }: BindContext, entity: Entity): Entity {
  return catalog.unrestricted.entity(entity.name) ?? entity;
}

const none: FieldValue = { kind: 'none' };

function original(whole: Entity, property: Property): Property {
  return whole.properties.find(({ name }) => name === property.name) ?? property;
}

function fieldOf(
  context: BindContext,
  row: RowSource,
  property: Property,
  value: FieldValue,
): BoundField {
  const { entity, location } = row;
  const { name, type, length, isUsualLength, digits } = property;
  const column = location.columns.get(name);
  const generated = property.autoIncrement === true;
  const allowed = enumTexts(context.catalog, property);
  const fallback = generated
    ? undefined
    : propertyDefault(context.catalog, wholeOf(context, entity), property);
  const fixed = column && keyText(column);
  return {
    property: name,
    type,
    mapping: column?.mapping ?? name,
    required: isRequired(entity, property),
    generated,
    ...(length !== undefined && !isUsualLength && { length }),
    ...(digits && { digits }),
    ...(allowed && { allowed }),
    ...(fallback && { default: fallback }),
    ...(property.writeValue !== undefined && {
      writeValue: writeValueOf(context, entity, property),
    }),
    ...(property.writeExp !== undefined && { writeExp: bindWriteExp(context, row, property) }),
    ...(fixed !== undefined && { fixed }),
    value,
  };
}

/** Whether the source stores one value of the property in all rows of the entity. */
export function isFixed({ location }: RowSource, { name }: Property): boolean {
  return location.columns.get(name)?.key !== undefined;
}

/** Whether null is refused before the write. If the database has a default, the database decides. */
export function isRequired({ primaryKey }: Entity, { name, required, databaseDefault }: Property) {
  return (required || primaryKey.includes(name)) && databaseDefault !== true;
}

function writeValueOf(
  context: BindContext,
  visible: Entity,
  { name, writeValue = '' }: Property,
): ChangingExpression {
  const { name: entity, properties: shown } = visible;
  const { catalog } = context;
  return orInvalid(`writeValue of property '${name}' of entity '${entity}'`, writeValue, () => {
    const owner = { catalog, entity: wholeOf(context, visible) };
    const expression = valueExpression(owner, writeValue);
    const reads = namesIn(expression);
    const isShown = (read: string) => shown.some((each) => each.name === read);
    const hidden = reads.filter((read) => !isShown(read));
    return { expression, reads, ...(hidden.length > 0 && { hidden }) };
  });
}

/**
 * The parts of the primary key that have one value in all rows of the entity, with that value as text.
 */
export function fixedKeys({ entity, location }: RowSource): ReadonlyMap<string, string> {
  return new Map(
    entity.primaryKey.flatMap((name) => {
      const mapped = location.columns.get(name);
      const text = mapped && keyText(mapped);
      return text === undefined ? [] : [[name, text] as const];
    }),
  );
}
