/** Asks the gateway about its schema, and about a query. */
import { ask } from './ask.js';
import type { Entity, Parameter, PlanNode, Query } from './forms.js';

/** The entities under a view; an empty string means the default view. */
export async function readEntities(view: string): Promise<readonly Entity[]> {
  const chosen = view === '' ? '' : `?view=${encodeURIComponent(view)}`;
  return listOf(await ask(`entities${chosen}`), isEntity);
}

export async function readStages(): Promise<readonly string[]> {
  return listOf(await ask('stages'), isNamed).map(({ name }) => name);
}

export async function readViews(): Promise<readonly string[]> {
  return listOf(await ask('views'), (value) => typeof value === 'string');
}

export async function readParameters(
  body: Query,
  signal: AbortSignal,
): Promise<readonly Parameter[]> {
  return listOf(await ask('parameters', { body, signal }), isTyped);
}

export async function readModel(body: Query, signal: AbortSignal): Promise<readonly Parameter[]> {
  return listOf(await ask('model', { body, signal }), isTyped);
}

export async function readPlan(body: Query, signal: AbortSignal): Promise<PlanNode | undefined> {
  const answer = await ask('plan', { body, signal });
  return isPlan(answer) ? answer : undefined;
}

/** The items of a list that have the expected form. */
function listOf<Item>(value: unknown, isItem: (item: unknown) => item is Item): readonly Item[] {
  return Array.isArray(value) ? value.filter(isItem) : [];
}

function isNamed(value: unknown): value is { readonly name: string } {
  return typeof value === 'object' && value !== null && 'name' in value;
}

function isTyped(value: unknown): value is Parameter {
  return isNamed(value) && 'type' in value;
}

function isEntity(value: unknown): value is Entity {
  return isNamed(value) && 'properties' in value && 'relations' in value;
}

function isPlan(value: unknown): value is PlanNode {
  return typeof value === 'object' && value !== null && 'sentence' in value;
}
