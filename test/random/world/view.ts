/** A view of a world, and the world as the view shows it. */
import { parseExpression } from '../../../src/engine/language/parse-expression.js';
import type { LambdaExpression } from '../../../src/engine/language/ast.js';
import { evaluate } from '../evaluate/expression.js';
import { type Place, within } from '../evaluate/place.js';
import type { Row, Tables } from '../evaluate/tables.js';
import type { Value } from '../evaluate/value.js';
import { type Domain, type Entity, entityNamed, type Relation } from './domain.js';

/** As in the schema file. */
export interface View {
  readonly name: string;
  readonly entities: readonly ViewEntity[];
}

/** An entity that is excluded, or some of whose rows and properties are hidden. */
export interface ViewEntity {
  readonly name: string;
  readonly exclude?: true;
  /** The condition of visible rows, as a lambda. */
  readonly readExp?: string;
  readonly properties: readonly ViewProperty[];
}

/** A property that is excluded, or the lambda that is read instead of it. */
export interface ViewProperty {
  readonly name: string;
  readonly exclude?: true;
  readonly readExp?: string;
}

/** The view without restrictions. */
export const wholeView: View = { name: 'default', entities: [] };

/** A domain and its rows, as in `WorldPlan`. */
interface Plan {
  readonly domain: Domain;
  readonly tables: Tables;
}

/**
 * The domain and the rows that a client sees: without what the view hides, and with the values that the
 * view reads. Throws `Unsure` if such a value is not defined.
 */
export function seenThrough(view: View, plan: Plan): Plan {
  const domain = seenDomain(view, plan.domain);
  const rows = domain.entities.map(({ name }) => {
    return [name, [...shownRows(view, plan, name).values()]] as const;
  });
  return { domain, tables: new Map(rows) };
}

/** The domain that a client sees. */
export function seenDomain(view: View, { entities }: Domain): Domain {
  const left = entities.filter(({ name }) => ofEntity(view, name)?.exclude !== true);
  return { entities: left.map((entity) => seenEntity(view, entity)) };
}

/** The visible rows of an entity that is not excluded: by the stored row, what the view shows of it. */
export function shownRows(
  view: View,
  { domain, tables }: Plan,
  name: string,
): ReadonlyMap<Row, Row> {
  const whole: Place = { evaluate, domain, tables, data: {}, variables: new Map() };
  const entity = entityNamed(domain, name);
  const shown = seenEntity(view, entity).properties.map((property) => property.name);
  return seenRows(view, whole, { entity, stored: tables.get(name) ?? [], shown });
}

/** The texts of the expressions that the view has for an entity: of its rows, and of its properties. */
export function expressionsOf(view: View, name: string): { filter?: string; read: string[] } {
  const own = ofEntity(view, name);
  const read = (own?.properties ?? []).flatMap(({ readExp }) => readExp ?? []);
  return { ...(own?.readExp !== undefined && { filter: own.readExp }), read };
}

function ofEntity({ entities }: View, name: string): ViewEntity | undefined {
  return entities.find((each) => each.name === name);
}

function ofProperty(view: View, entity: string, name: string): ViewProperty | undefined {
  return ofEntity(view, entity)?.properties.find((each) => each.name === name);
}

/** Whether the view shows a property as it is stored. */
export function keepsProperty(view: View, entity: string, name: string): boolean {
  return ofEntity(view, entity)?.exclude !== true && !ofProperty(view, entity, name);
}

/** Excluded properties are removed. Keys and relations need properties that are read as they are stored. */
function seenEntity(view: View, entity: Entity): Entity {
  const { name, properties, primaryKey, uniqueKey, relations } = entity;
  const isKept = (each: string) => keepsProperty(view, name, each);
  return {
    ...entity,
    properties: properties.filter((each) => ofProperty(view, name, each.name)?.exclude !== true),
    primaryKey: primaryKey.every(isKept) ? primaryKey : [],
    uniqueKey: uniqueKey.every(isKept) ? uniqueKey : [],
    relations: relations.filter((each) => isSeen(view, name, each)),
  };
}

function isSeen(view: View, owner: string, { from, entity, to, through }: Relation): boolean {
  const isKept = (at: string, names: readonly string[]) =>
    ofEntity(view, at)?.exclude !== true && names.every((each) => keepsProperty(view, at, each));
  const isLinked = !through || isKept(through.entity, [...through.from, ...through.to]);
  return isKept(owner, from) && isKept(entity, to) && isLinked;
}

interface StoredRows {
  readonly entity: Entity;
  readonly stored: readonly Row[];
  /** The names of the properties that are not excluded. */
  readonly shown: readonly string[];
}

/** The expressions of a view read all stored rows and values, whatever it hides. */
function seenRows(
  view: View,
  whole: Place,
  { entity, stored, shown }: StoredRows,
): ReadonlyMap<Row, Row> {
  const valueOf = (lambda: LambdaExpression, row: Row): Value =>
    evaluate(within(whole, lambda, { entity, row }), lambda.body);
  const filter = lambdaIn(ofEntity(view, entity.name)?.readExp);
  const read = shown.map((name) => {
    return { name, lambda: lambdaIn(ofProperty(view, entity.name, name)?.readExp) };
  });
  const visible = stored.filter((row) => !filter || valueOf(filter, row) === true);
  const rows = visible.map((row) => {
    const valueAt = ({ name, lambda }: (typeof read)[number]) =>
      lambda ? valueOf(lambda, row) : (row.get(name) ?? null);
    return [row, new Map(read.map((each) => [each.name, valueAt(each)] as const))] as const;
  });
  return new Map(rows);
}

const limits = { expressionLengthMax: 4096, nestingMax: 64 };

function lambdaIn(text: string | undefined): LambdaExpression | undefined {
  const expression = text === undefined ? undefined : parseExpression(text, limits);
  return expression?.kind === 'lambda' ? expression : undefined;
}
