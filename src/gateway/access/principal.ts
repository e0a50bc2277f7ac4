/**
 * The sender of a request, and its permissions. What a query needs follows from its compiled plan, so
 * each combination of plan and principal is checked only once.
 */
import type { CompiledQuery, StatementPlan } from '../../engine/index.js';
import { Refusal } from '../errors.js';
import { isObject } from '../json-value.js';
import type { Counts } from './counts.js';
import { ANY_ENTITY, type Grants, type Right, type Verb } from './grants.js';

export interface Principal extends Grants {
  /** `key:` and the name of the key, or `token:` and the subject of the token. */
  readonly name: string;
  /** Until this time, in milliseconds since 1970, the key or token need not be checked again. */
  readonly trustedUntil: number;
  readonly counts: Counts;
  /** Principals with the same text use the same stage and view for the same body. */
  readonly scope: string;
  /** Principals with the same text share their idempotency keys. */
  readonly identity: string;
  /** For each plan, the permission that the principal lacks; empty if there is none. */
  readonly decisions: WeakMap<CompiledQuery, string>;
}

export type PrincipalParts = Pick<Principal, 'name' | 'counts' | 'trustedUntil'>;

/** `distinct`: distinguishes it from other principals of the same name. */
export function createPrincipal(
  parts: PrincipalParts,
  grants: Grants,
  distinct: unknown = grants.settings,
): Principal {
  const { stages, view } = grants;
  const scope = stages || view !== undefined ? JSON.stringify([stages, view]) : '';
  const identity = JSON.stringify([parts.name, distinct], sortedMembers);
  return { ...grants, ...parts, scope, identity, decisions: new WeakMap() };
}

/** Issuers may write the members of a token in any order. */
function sortedMembers(_: string, value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Whether each of its queries runs in its own transaction, never in a batch with those of others. */
export function runsApart(principal: Principal | undefined): boolean {
  if (principal === undefined) return false;
  const { settings, limits } = principal;
  return settings !== undefined || limits?.rows !== undefined || limits?.timeMs !== undefined;
}

/** Throws a `Refusal` if an endpoint is not allowed. */
export function requireRight(principal: Principal, right: Right): void {
  const missing = lackOf(principal, right);
  if (missing !== undefined) throw forbidden(missing);
}

/** What the principal lacks to use an endpoint. */
export function lackOf(
  { allow = [], readOnly, view, settings }: Principal,
  right: Right,
): string | undefined {
  if (!allow.includes(right)) return `the permission '${right}'`;
  if (right === 'import' && readOnly) return 'the permission to write';
  if (right !== 'explain') return undefined;
  // The database explains its work on all rows: it counts hidden ones, and estimates from their values.
  if (view !== undefined) return 'explanations, because it has a view';
  return settings && 'explanations, because it has settings';
}

/** Throws a `Refusal` if a stage is not allowed. */
export function requireStage({ stages }: Principal, stage: string): void {
  if (stages && !stages.includes(stage)) throw forbidden(`the stage '${stage}'`);
}

/** Throws a `Refusal` unless every entity is allowed and there are no settings. */
export function requireAllEntities({ entities, settings }: Principal, verb: Verb): void {
  if (settings) throw forbidden('imports and exports, because it has settings');
  if (!entities) return;
  const lists = [entities[ANY_ENTITY] ?? [], ...Object.values(entities)];
  if (!lists.every((verbs) => verbs.includes(verb))) throw forbidden(`'${verb}' for all entities`);
}

/** Throws a `Refusal` if the query needs a permission that the principal lacks. */
export function requirePlan(principal: Principal, plan: CompiledQuery): void {
  if (!principal.readOnly && !principal.entities) return;
  const { decisions } = principal;
  const known = decisions.get(plan);
  const missing = known ?? missingFor(principal, plan) ?? '';
  if (known === undefined) decisions.set(plan, missing);
  if (missing !== '') throw forbidden(missing);
}

function missingFor({ readOnly, entities }: Principal, plan: CompiledQuery): string | undefined {
  if (readOnly && plan.root.write) return 'the permission to write';
  if (!entities) return undefined;
  for (const [entity, verbs] of needsOf(plan)) {
    const name = Object.hasOwn(entities, entity) ? entity : ANY_ENTITY;
    const allowed = entities[name] ?? [];
    const verb = [...verbs].find((each) => !allowed.includes(each));
    if (verb !== undefined) return `'${verb}' for '${entity}'`;
  }
  return undefined;
}

/** Every statement that finds rows needs `select`, because its answer reveals whether they exist. */
function needsOf({ root, entities }: CompiledQuery): ReadonlyMap<string, ReadonlySet<Verb>> {
  const needs = new Map<string, Set<Verb>>();
  const add = (entity: string, verbs: readonly Verb[]) => {
    needs.set(entity, new Set([...(needs.get(entity) ?? []), ...verbs]));
  };
  const visit = ({ entity, clause, includes }: StatementPlan): void => {
    add(entity, VERBS_OF[clause]);
    for (const { statement } of includes) visit(statement);
  };
  visit(root);
  for (const entity of entities) add(entity, ['select']);
  return needs;
}

const VERBS_OF: Readonly<Record<StatementPlan['clause'], readonly Verb[]>> = {
  select: ['select'],
  insert: ['insert'],
  update: ['update', 'select'],
  upsert: ['insert', 'update', 'select'],
  delete: ['delete', 'select'],
};

function forbidden(missing: string): Refusal {
  return new Refusal('forbidden', `The key or token does not include ${missing}.`);
}
