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

export type Handler = (call: Call) => void;

/** An endpoint, and the permission that a key or token needs for it. */
export interface Endpoint {
  readonly handle: Handler;
  /** `open`: not even a key is needed. `query`: the permissions that the query itself needs. */
  readonly need: 'open' | 'query' | Right;
}

export const routes: readonly (readonly [...Route<Handler>, Endpoint['need']])[] = [
  ['GET', '/ping', ping, 'open'],
  ['GET', '/health', health, 'open'],
  ['GET', '/version', version, 'open'],
  ['GET', '/livez', livez, 'open'],
  ['GET', '/readyz', readyz, 'open'],
  ['GET', '/metrics', metrics, 'metrics'],
  ['GET', '/', home, 'open'],
  ['GET', '/docs', docs, 'open'],
  ['GET', '/docs/{name}', docsFile, 'open'],
  ['GET', '/openapi.json', describeRoutes(routeLines), 'query'],
  ['GET', '/stats', answerStats, 'stats'],
  ['DELETE', '/stats', resetStats, 'stats'],
  ['GET', '/console', consolePage, 'open'],
  ['GET', '/console/{file}', consoleFile, 'open'],

  ['POST', '/metadata', describingPlan(describeMetadata), 'query'],
  ['POST', '/model', describingPlan(describeModel), 'query'],
  ['POST', '/parameters', describingPlan(describeParameters), 'query'],
  ['POST', '/constraints', describingPlan(describeConstraints), 'query'],
  ['POST', '/plan', describingPlan(describePlan), 'schema'],
  ['POST', '/explain', explain, 'explain'],
  ['POST', '/execute', execute, 'query'],
  ['POST', '/transaction', transaction, 'query'],

  ['GET', '/schema/version', describing(describeVersion), 'schema'],
  ['GET', '/schema', describing(describeSchema), 'schema'],
  ['GET', '/domain', describing(describeDomain), 'schema'],
  ['GET', '/entities', describing(describeEntities), 'schema'],
  ['GET', '/entities/{name}', describingNamed('entity', describeEntity), 'schema'],
  ['GET', '/enums', describing(describeEnums), 'schema'],
  ['GET', '/enums/{name}', describingNamed('enum', describeEnum), 'schema'],
  ['GET', '/sources', describing(describeSources), 'schema'],
  ['GET', '/sources/{name}', describingNamed('source', describeSource), 'schema'],
  ['GET', '/mappings', describing(describeMappings), 'schema'],
  ['GET', '/mappings/{name}', describingNamed('mapping', describeMapping), 'schema'],
  ['GET', '/mappings/{name}/{entity}', answerMappingEntity, 'schema'],
  ['GET', '/views', describing(describeViews), 'schema'],

  ['GET', '/stages', answerStages, 'schema'],
  ['GET', '/stages/{name}', answerStage, 'schema'],
  ['POST', '/stages/{name}/import', importStage, 'import'],
  ['GET', '/stages/{name}/exists', answerStageExists, 'schema'],
  ['GET', '/stages/{name}/export', exportStage, 'export'],
];

function routeLines() {
  return routes.map(([method, path, , need]) => ({ method, path, need }));
}
