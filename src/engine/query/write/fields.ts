/** The fields of written rows: each property with its column, limits and default. */
import type { ChangingExpression, FieldDefault, FieldValue } from '../../compiled-write.js';
import { EngineError } from '../../errors.js';
import type { Expression } from '../../language/ast.js';
import { parseWithTemplate } from '../../language/parse-template.js';
import type { Entity, Property } from '../../schema/model.js';
import { scalarText } from '../../values/scalar-text.js';
import { enumTexts } from '../enum-values.js';
import type { RowSource } from '../logical.js';
import { keyText } from '../rows.js';
import type { BindContext } from '../scope.js';
import { invalidExpression, schemaExpressionLimits } from '../schema-expression.js';
import { namesIn } from './constraints.js';
import { textDefault } from './default-expression.js';
import { checkEvaluable, valueExpression } from './evaluable.js';
import { bindWriteExp } from './bind-write-exp.js';
import type { BoundField } from './bound-write.js';

/**
 * The fields of an entity in the order of its properties, then those that the view hides but that have
 * a default or a fixed value. `valueOf` says where each value comes from.
 */
export function fieldsOf(
  context: BindContext,
  row: RowSource,
  valueOf: (property: Property) => FieldValue,
): BoundField[] {
  const { entity } = row;
  const whole = wholeOf(context, entity);
  const visible = entity.properties.map((property) =>
    fieldOf(context, row, original(whole, property), property.view ? none : valueOf(property)),
  );
  const hidden = whole.properties.filter(
    ({ name, default: fallback, key }) =>
      (fallback !== undefined || key !== undefined) &&
      entity.properties.every((property) => property.name !== name),
  );
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
  const mapped = location.columns.get(name)?.mapping ?? name;
  const generated = property.autoIncrement === true;
  const allowed = enumTexts(context.catalog, property);
  const fallback = generated ? undefined : checkedDefault(wholeOf(context, entity), property);
  const fixed = keyText(property);
  return {
    property: name,
    type,
    mapping: mapped,
    required: isRequired(entity, property),
    generated,
    ...(length !== undefined && !isUsualLength && { length }),
    ...(digits && { digits }),
    ...(allowed && { allowed }),
    ...(fallback && { default: fallback }),
    ...(property.writeValue !== undefined && { writeValue: writeValueOf(entity, property) }),
    ...(property.writeExp !== undefined && { writeExp: bindWriteExp(context, row, property) }),
    ...(fixed !== undefined && { fixed }),
    value,
  };
}

/** Whether null is refused before the write. If the database has a default, the database decides. */
export function isRequired({ primaryKey }: Entity, { name, required, databaseDefault }: Property) {
  return (required || primaryKey.includes(name)) && databaseDefault !== true;
}

function writeValueOf(
  { name: entity, properties: shown }: Entity,
  { name, writeValue = '' }: Property,
): ChangingExpression {
  try {
    const expression = valueExpression(writeValue);
    const reads = namesIn(expression);
    const isShown = (read: string) => shown.some((each) => each.name === read);
    const hidden = reads.filter((read) => !isShown(read));
    return { expression, reads, ...(hidden.length > 0 && { hidden }) };
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const what = `writeValue of property '${name}' of entity '${entity}'`;
    throw invalidExpression(what, writeValue, error);
  }
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

/** Throws `schema-invalid` if the default reads an unknown property. */
function checkedDefault(entity: Entity, property: Property): FieldDefault | undefined {
  const fallback = defaultOf(entity, property);
  if (fallback?.kind !== 'expression') return fallback;
  const isKnown = (name: string) => entity.properties.some((each) => each.name === name);
  const unknown = fallback.reads.find((name) => !isKnown(name));
  if (unknown === undefined) return fallback;
  const fault = new EngineError(
    'schema-invalid',
    `It reads '${unknown}', which is not a property.`,
  );
  throw invalidDefault(entity, property, fault);
}

/**
 * The default of a property. For a string property, a string is a plain value unless it is an
 * expression; for other types, a string that is not a value of the type is an expression.
 */
function defaultOf(entity: Entity, property: Property): FieldDefault | undefined {
  const { type, default: value } = property;
  if (value === undefined || value === null) return undefined;
  const isText = type === 'string' || type === 'any';
  const given = isText ? String(value) : value;
  const expression = isText ? textDefault(String(value)) : undefined;
  if (expression) return evaluated(expression);
  const text =
    type === 'boolean' && /^(true|false)$/.test(String(given)) ? String(given) : undefined;
  const canonical = text ?? scalarText(type, given);
  if (canonical !== undefined) return { kind: 'text', text: canonical };
  return evaluated(otherDefault(entity, property, String(given)));
}

function evaluated(expression: Expression): FieldDefault {
  if (expression.kind === 'text') return { kind: 'text', text: expression.value };
  return { kind: 'expression', expression, reads: namesIn(expression) };
}

/** Parses the default of a property that is not a string. Throws `schema-invalid`. */
function otherDefault(entity: Entity, property: Property, text: string): Expression {
  try {
    const expression = parseWithTemplate(text, schemaExpressionLimits);
    checkEvaluable(expression);
    return expression;
  } catch (error) {
    throw error instanceof EngineError ? invalidDefault(entity, property, error) : error;
  }
}

function invalidDefault(
  { name: entity }: Entity,
  { name, default: text }: Property,
  fault: EngineError,
) {
  const what = `default of property '${name}' of entity '${entity}'`;
  return invalidExpression(what, String(text), fault);
}
