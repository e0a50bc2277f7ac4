/** How much of SQL an expression makes, roughly, and what it takes the database to compute it. */
import type { Bound } from '../query/logical.js';
import { partsOf } from '../query/same-bound.js';

/** What is heavier is written, and computed, once. */
const LIGHT_MAX = 8;
/** A template may repeat its arguments; those of powers and roots do so most. */
const CALL_FACTOR = 2;
const POWER_FACTOR = 4;

/** Whether an expression is more than what may stand in a template several times. */
export function isHeavy(bound: Bound): boolean {
  return weightOf(bound) > LIGHT_MAX;
}

function weightOf(bound: Bound): number {
  if (bound.kind === 'subselect') return LIGHT_MAX + 1;
  if (bound.kind === 'reading') return weightOf(bound.stored);
  const parts = partsOf(bound).reduce((sum, part) => sum + weightOf(part), 0);
  return 1 + factorOf(bound) * parts;
}

function factorOf(bound: Bound): number {
  if (bound.kind === 'call') return CALL_FACTOR;
  const isPower = bound.kind === 'binary' && ['**', '//'].includes(bound.operator);
  return isPower ? POWER_FACTOR : 1;
}
