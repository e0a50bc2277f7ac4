/** Random constraints of one or two properties. */
import type { Random } from '../random.js';
import type { Draft } from './draft.js';
import { filled } from './make-defaults.js';

const CONSTRAINED = 0.25;

const conditions: readonly string[] = [
  '{i} > -2',
  '{i} <= 5',
  '{i} != 7 && {i} != 1',
  '{i} == null || {i} < 1000',
  '{i} != null',
  '{s} != null',
  '{b} != null',
  '{s} != null || {i} != null',
  '{s} == null || {b} != null',
  '{i} >= 0 || {b}',
];

/** Gives some entities a constraint on properties that are stored as they are given; they may be foreign keys. */
export function makeConstraints(random: Random, draft: Draft): void {
  if (!random.chance(CONSTRAINED)) return;
  const readable = draft.properties.filter(
    ({ name, writeValue, autoIncrement }) =>
      !writeValue && !autoIncrement && !draft.primaryKey.includes(name),
  );
  const found = filled(random, [random.pick(conditions)], readable);
  if (found) draft.constraints.push(found);
}
