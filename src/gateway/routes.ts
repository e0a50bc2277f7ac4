/** The route table: one line for each route, in the order of the interface document. */
import {
  describeConstraints,
  describeDomain,
  describeEntities,
  describeEntity,
  describeEnum,
  describeEnums,
  describeMapping,
  describeMappings,
  describeMetadata,
  describeModel,
  describeParameters,
  describePlan,
  describeSchema,
  describeSource,
  describeSources,
  describeVersion,
  describeViews,
} from '../engine/index.js';
import type { Call } from './call.js';
import { explain } from './handlers/explain.js';
import { health, livez, ping, readyz, version } from './handlers/general.js';
import { importStage } from './handlers/import-stage.js';
import { metrics } from './handlers/metrics.js';
import { describeRoutes } from './handlers/openapi.js';
import { consoleFile, consolePage, docs, docsFile, home } from './handlers/pages.js';
import { describingPlan, execute } from './handlers/queries.js';
import {
  answerMappingEntity,
  answerStage,
  describing,
  describingNamed,
} from './handlers/schema.js';
import { answerStats, resetStats } from './handlers/stats.js';
import { answerStageExists, answerStages, exportStage } from './handlers/stages.js';
import { transaction } from './handlers/transaction.js';
import type { Right } from './access/grants.js';
import type { Route } from './http/router.js';
import type { OperationId } from './openapi/operations.js';

export type Handler = (call: Call) => void;

/** An endpoint, and the permission that a key or token needs for it. */
export interface Endpoint {
  readonly handle: Handler;
  /** `open`: not even a key is needed. `query`: the permissions that the query itself needs. */
  readonly need: 'open' | 'query' | Right;
}

export const routes: readonly (readonly [...Route<Handler>, Endpoint['need'], OperationId])[] = [
  ['GET', '/ping', ping, 'open', 'ping'],
  ['GET', '/health', health, 'open', 'health'],
  ['GET', '/version', version, 'open', 'version'],
  ['GET', '/livez', livez, 'open', 'livez'],
  ['GET', '/readyz', readyz, 'open', 'readyz'],
  ['GET', '/metrics', metrics, 'metrics', 'metrics'],
  ['GET', '/', home, 'open', 'home'],
  ['GET', '/docs', docs, 'open', 'docs'],
  ['GET', '/docs/{name}', docsFile, 'open', 'docsFile'],
  ['GET', '/openapi.json', describeRoutes(routeLines), 'query', 'openapi'],
  ['GET', '/stats', answerStats, 'stats', 'stats'],
  ['DELETE', '/stats', resetStats, 'stats', 'resetStats'],
  ['GET', '/console', consolePage, 'open', 'console'],
  ['GET', '/console/{file}', consoleFile, 'open', 'consoleFile'],

  ['POST', '/metadata', describingPlan(describeMetadata), 'query', 'metadata'],
  ['POST', '/model', describingPlan(describeModel), 'query', 'model'],
  ['POST', '/parameters', describingPlan(describeParameters), 'query', 'parameters'],
  ['POST', '/constraints', describingPlan(describeConstraints), 'query', 'constraints'],
  ['POST', '/plan', describingPlan(describePlan), 'schema', 'plan'],
  ['POST', '/explain', explain, 'explain', 'explain'],
  ['POST', '/execute', execute, 'query', 'execute'],
  ['POST', '/transaction', transaction, 'query', 'transaction'],

  ['GET', '/schema/version', describing(describeVersion), 'schema', 'schemaVersion'],
  ['GET', '/schema', describing(describeSchema), 'schema', 'schema'],
  ['GET', '/domain', describing(describeDomain), 'schema', 'domain'],
  ['GET', '/entities', describing(describeEntities), 'schema', 'entities'],
  ['GET', '/entities/{name}', describingNamed('entity', describeEntity), 'schema', 'entity'],
  ['GET', '/enums', describing(describeEnums), 'schema', 'enums'],
  ['GET', '/enums/{name}', describingNamed('enum', describeEnum), 'schema', 'enum'],
  ['GET', '/sources', describing(describeSources), 'schema', 'sources'],
  ['GET', '/sources/{name}', describingNamed('source', describeSource), 'schema', 'source'],
  ['GET', '/mappings', describing(describeMappings), 'schema', 'mappings'],
  ['GET', '/mappings/{name}', describingNamed('mapping', describeMapping), 'schema', 'mapping'],
  ['GET', '/mappings/{name}/{entity}', answerMappingEntity, 'schema', 'mappingEntity'],
  ['GET', '/views', describing(describeViews), 'schema', 'views'],

  ['GET', '/stages', answerStages, 'schema', 'stages'],
  ['GET', '/stages/{name}', answerStage, 'schema', 'stage'],
  ['POST', '/stages/{name}/import', importStage, 'import', 'import'],
  ['GET', '/stages/{name}/exists', answerStageExists, 'schema', 'exists'],
  ['GET', '/stages/{name}/export', exportStage, 'export', 'export'],
];

function routeLines() {
  return routes.map(([method, path, , need, id]) => ({ method, path, need, id }));
}
