/** The schema endpoints: the engine's descriptions of the schema in force. */
import {
  type Catalog,
  describeMapping,
  describeMappingEntity,
  describeStage,
} from '../../engine/index.js';
import { requireStage } from '../access/principal.js';
import type { Call } from '../call.js';
import { visibleCatalog } from '../choose-view.js';
import { Refusal } from '../errors.js';

export function describing(describe: (catalog: Catalog) => unknown) {
  return (call: Call): void => call.sendDescription(describe(visibleSchema(call)));
}

/** Answers with the description of what the path names. */
export function describingNamed(kind: Kind, describe: (catalog: Catalog, name: string) => unknown) {
  return (call: Call): void => {
    const [name = ''] = call.parameters;
    const value = describe(visibleSchema(call), name);
    if (value === undefined) throw notFound(kind, name);
    call.sendDescription(value);
  };
}

/** `GET /stages/{name}`. */
export function answerStage(call: Call): void {
  call.sendDescription(describeStage(visibleSchema(call), stageOf(call)));
}

/** The stage that the path names. Throws a `Refusal` for an unknown name, or one that is not allowed. */
export function stageOf(call: Call): string {
  const [name = ''] = call.parameters;
  if (call.principal) requireStage(call.principal, name);
  if (describeStage(call.service.catalog, name) === undefined) throw notFound('stage', name);
  return name;
}

/** `GET /mappings/{name}/{entity}`. */
export function answerMappingEntity(call: Call): void {
  const [mapping = '', entity = ''] = call.parameters;
  const catalog = visibleSchema(call);
  if (describeMapping(catalog, mapping) === undefined) throw notFound('mapping', mapping);
  const value = describeMappingEntity(catalog, mapping, entity);
  if (value === undefined) throw notFound('entity', entity);
  call.sendDescription(value);
}

/** The schema under the view that the URL names. Throws a `Refusal` for an unknown view. */
function visibleSchema(call: Call): Catalog {
  return visibleCatalog(call.scope, call.exchange.query);
}

const lists = {
  entity: '/entities',
  enum: '/enums',
  source: '/sources',
  mapping: '/mappings',
  stage: '/stages',
} as const;

type Kind = keyof typeof lists;

function notFound(kind: Kind, name: string): Refusal {
  const detail = `There is no ${kind} named "${name}".`;
  return new Refusal(`${kind}-not-found`, detail, { hint: `GET ${lists[kind]} lists them.` });
}
