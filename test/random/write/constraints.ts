/** Checks the constraints of entities, as Rowgate evaluates them: on given values, of which an unknown result passes. */
import type { Row } from '../evaluate/tables.js';
import { unsure } from '../evaluate/unsure.js';
import type { Value } from '../evaluate/value.js';
import type { Entity, RowExpression } from '../world/domain.js';
import { valueOver } from './row-expression.js';
import { hasType, type Store } from './store.js';
import { typed } from './typed.js';

/** Records a constraint that the values break; those that read others are not checked. */
export function checkConstraints(
  store: Store,
  entity: Entity,
  values: ReadonlyMap<string, Value>,
): void {
  const { constraints = [] } = entity;
  const checked = constraints.filter((each) => namesIn(each).every((name) => values.has(name)));
  if (checked.some((each) => isBroken(entity, each, values))) store.faults.add('constraint');
}

/** It is not defined whether an upsert breaks a constraint that also reads what it does not set. */
export function checkUpserted(entity: Entity, given: Row, known: Row | undefined): void {
  const { constraints = [], properties } = entity;
  for (const each of constraints) {
    const absent = namesIn(each).filter((name) => !given.has(name));
    if (absent.length === 0) continue;
    const hasDefault = properties.some(
      ({ name, default: standard, computed }) =>
        absent.includes(name) && (standard ?? computed) !== undefined,
    );
    const rows = [given, new Map([...(known ?? []), ...given])];
    if (hasDefault || rows.some((row) => isBroken(entity, each, row)))
      unsure('a constraint on values that an upsert does not set');
  }
}

/** Updates do not check what the database computes, or what they do not set. */
export function checkStored({ domain, tables, before }: Store): void {
  for (const entity of domain.entities) {
    const { name, constraints = [] } = entity;
    const rows = tables.get(name) ?? [];
    if (rows === before.get(name) || constraints.length === 0) continue;
    if (rows.some((row) => constraints.some((each) => isBroken(entity, each, row))))
      unsure('a stored row that breaks a constraint');
  }
}

function namesIn({ form }: RowExpression): readonly string[] {
  return form.match(/(?<=\bp\.)\w+/g) ?? [];
}

/** Whether a row breaks a constraint. A value of another type is refused anyway. */
export function isBroken(
  entity: Entity,
  constraint: RowExpression,
  values: ReadonlyMap<string, Value>,
): boolean {
  const read = entity.properties.filter(({ name }) => namesIn(constraint).includes(name));
  const row = new Map(
    read.map((each) => [each.name, typed(each, values.get(each.name) ?? null)] as const),
  );
  if (!read.every(({ name, type }) => hasType(type, row.get(name) ?? null))) return false;
  return valueOver(entity, constraint, row) === false;
}
