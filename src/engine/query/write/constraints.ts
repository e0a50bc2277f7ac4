/** The constraints that a write is checked against, with their messages and conditions. */
import type { WriteCondition } from '../../compiled-write.js';
import { asSentence, EngineError } from '../../errors.js';
import type { Expression } from '../../language/ast.js';
import { childrenOf, mapChildren } from '../../language/children.js';
import { parseExpression } from '../../language/parse-expression.js';
import type { Catalog } from '../../schema/catalog.js';
import type { Constraint, Entity, Property, PropertyType } from '../../schema/model.js';
import { schemaExpressionLimits } from '../../language/parse-template.js';
import { withEnumMembers } from '../../schema/enum-members.js';
import { isNumeric } from '../types.js';
import type { BoundField } from './bound-write.js';

/** The message for a required property without a value. */
export function nullMessage(entity: string, property: string): string {
  return `Cannot be null property ${property} in entity ${entity}`;
}

/** The message for a value that its enum does not contain. */
export function enumMessage(entity: string, property: string): string {
  return `Must be a value of its enum property ${property} in entity ${entity}`;
}

export function fixedMessage(entity: string, property: string, fixed: string): string {
  return `Must be ${fixed} property ${property} in entity ${entity}`;
}

function literalText(type: PropertyType, text: string): string {
  return isNumeric(type) || type === 'boolean' ? text : JSON.stringify(text);
}

export function lengthMessage(entity: string, property: string, length: number): string {
  return `Cannot be longer than ${length} property ${property} in entity ${entity}`;
}

/** The constraints on the written fields, then those of the entity. */
export function constraintsOf(entity: Entity, written: readonly BoundField[]): Constraint[] {
  const { name } = entity;
  const visible = new Set(entity.properties.map((property) => property.name));
  const fields = written.filter(({ property }) => visible.has(property));
  return [
    ...fields.flatMap(({ property, required, generated, fixed, default: fallback }) => {
      if (!required || generated || fallback || fixed !== undefined) return [];
      return [{ message: nullMessage(name, property), condition: `isNotNull(${property})` }];
    }),
    ...fields.flatMap(({ property, fixed, type }) => {
      if (fixed === undefined) return [];
      const condition = `${property}==${literalText(type, fixed)}`;
      return [{ message: fixedMessage(name, property, fixed), condition }];
    }),
    ...fields.flatMap(({ property, allowed, type }) => {
      if (!allowed) return [];
      const values = allowed.map((text) => literalText(type, text));
      const condition = `in(${property},[${values.join(',')}])`;
      return [{ message: enumMessage(name, property), condition }];
    }),
    ...fields.flatMap(({ property, length }) => {
      if (length === undefined) return [];
      const condition = `length(${property})<=${length}`;
      return [{ message: lengthMessage(name, property, length), condition }];
    }),
    ...entity.constraints,
  ];
}

/** The message that replaces that of a constraint on hidden properties. */
export function untoldMessage(entity: string): string {
  return `A constraint of entity ${entity} is not met`;
}

/**
 * The entity's constraints, ready to be evaluated, including those on properties that the view
 * (`visible`) hides. Throws `schema-invalid`.
 */
export function conditionsOf(
  catalog: Catalog,
  entity: Entity,
  visible: Entity = entity,
): WriteCondition[] {
  const properties = new Map(entity.properties.map((property) => [property.name, property]));
  return entity.constraints.map((constraint) => {
    const expression = conditionExpression(catalog, entity, constraint.condition);
    const reads = namesIn(expression);
    const unknown = reads.find((name) => !properties.has(name));
    if (unknown !== undefined) {
      throw invalid(entity, `it reads '${unknown}', which is not a property`);
    }
    const filledIn = reads.filter((name) => isFilledIn(properties.get(name)));
    const read = { expression, reads, filledIn };
    if (isConstraintVisible(constraint, visible)) return { ...constraint, ...read };
    return { message: untoldMessage(entity.name), condition: '', ...read, hidden: true };
  });
}

/** Whether the database may give a value to a property that a new row does not have. */
function isFilledIn(property: Property | undefined): boolean {
  const { autoIncrement, databaseDefault, view } = property ?? {};
  return autoIncrement === true || databaseDefault === true || view === true;
}

function isConstraintVisible({ message, condition }: Constraint, visible: Entity): boolean {
  return visible.constraints.some(
    (each) => each.message === message && each.condition === condition,
  );
}

function conditionExpression(catalog: Catalog, entity: Entity, text: string): Expression {
  try {
    const expression = withBareNames(parseExpression(text, schemaExpressionLimits));
    return withMembersBeside(catalog, entity, expression);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    throw invalid(entity, error.message, error.hint);
  }
}

/** An expression over an entity's properties, which hide enums of the same name, with the members of all enums. */
export function withMembersBeside(
  { unrestricted }: Catalog,
  { properties }: Pick<Entity, 'properties'>,
  expression: Expression,
): Expression {
  const own = new Set(properties.map(({ name }) => name));
  return withEnumMembers(unrestricted.schema.domain.enums, expression, own);
}

/** An expression that names properties directly, or as members of a lambda's variable, with bare names. */
export function withBareNames(expression: Expression): Expression {
  if (expression.kind !== 'lambda') return expression;
  return withoutVariable(expression.body, expression.parameter);
}

/** The expression with `p.name` written as `name`. */
export function withoutVariable(expression: Expression, variable: string | undefined): Expression {
  if (expression.kind === 'member' && expression.object.kind === 'name') {
    const { object, name, span } = expression;
    if (object.name === variable) return { kind: 'name', name, span };
  }
  return mapChildren(expression, (part) => withoutVariable(part, variable));
}

/** The names that an expression reads, without duplicates. */
export function namesIn(expression: Expression): string[] {
  if (expression.kind === 'name') return [expression.name];
  return [...new Set(childrenOf(expression).flatMap(namesIn))];
}

function invalid(entity: Entity, why: string, hint?: string): EngineError {
  const message = `A constraint of entity '${entity.name}' is invalid: ${why}`;
  return new EngineError('schema-invalid', asSentence(message), { hint });
}
