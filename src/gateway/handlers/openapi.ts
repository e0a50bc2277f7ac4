/** `GET /openapi.json`: the description of all routes that the sender may use. */
import { ANY_ENTITY, type Right } from '../access/grants.js';
import { lackOf, type Principal } from '../access/principal.js';
import type { Call } from '../call.js';
import { visibleCatalog } from '../choose-view.js';
import { MONITORING_PATHS } from '../monitoring-paths.js';
import { type DescribedRoute, openapiDocument } from '../openapi/document.js';

export interface RouteLine extends Omit<DescribedRoute, 'isOpen'> {
  /** `open`, `query`, or the permission that it needs. */
  readonly need: 'open' | 'query' | Right;
}

/** Makes the handler; `routes` is called for each answer. */
export function describeRoutes(routes: () => readonly RouteLine[]): (call: Call) => void {
  return (call) => {
    const { service, principal, scope } = call;
    const { adminPort, queriesFile } = service.configuration;
    const hasPath = (path: string) =>
      (adminPort === undefined || !MONITORING_PATHS.has(path)) &&
      (service.consoleFiles !== undefined || !path.startsWith('/console'));
    const isRefused = (need: RouteLine['need']) =>
      queriesFile !== undefined && !principal && (need === 'import' || need === 'export');
    const document = openapiDocument({
      version: service.version,
      limits: service.configuration,
      catalog: visibleCatalog(scope, call.exchange.query),
      isVisible: (entity) => maySee(principal, entity),
      seesUnusedEnums: mayUse(principal, 'schema'),
      stages: principal?.stages,
      isGuarded: principal !== undefined,
      routes: routes()
        .filter(({ path, need }) => hasPath(path) && mayUse(principal, need) && !isRefused(need))
        .map(({ need, ...route }) => ({ ...route, isOpen: need === 'open' })),
    });
    call.sendDescription(document);
  };
}

function mayUse(principal: Principal | undefined, need: RouteLine['need']): boolean {
  if (principal === undefined || need === 'open' || need === 'query') return true;
  return lackOf(principal, need) === undefined;
}

/** Entities are described only for senders who may read the schema and select the entity. */
function maySee(principal: Principal | undefined, entity: string): boolean {
  if (principal === undefined) return true;
  if (!mayUse(principal, 'schema')) return false;
  const { entities } = principal;
  if (!entities) return true;
  const verbs = Object.hasOwn(entities, entity) ? entities[entity] : entities[ANY_ENTITY];
  return verbs?.includes('select') === true;
}
