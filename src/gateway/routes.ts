/** The route table: one line for each route, in the order of the interface document. */
import type { Call } from './call.js';
import { health, livez, ping, readyz, version } from './handlers/general.js';
import { importStage } from './handlers/import-stage.js';
import { metrics } from './handlers/metrics.js';
import {
  answerConstraints,
  answerMetadata,
  answerModel,
  answerParameters,
  answerPlan,
  execute,
} from './handlers/queries.js';
import {
  answerDomain,
  answerEntities,
  answerEntity,
  answerEnum,
  answerEnums,
  answerMapping,
  answerMappingEntity,
  answerMappings,
  answerSchema,
  answerSource,
  answerSources,
  answerStage,
  answerVersion,
  answerViews,
} from './handlers/schema.js';
import { answerStageExists, answerStages, exportStage } from './handlers/stages.js';
import { transaction } from './handlers/transaction.js';
import type { Route } from './http/router.js';

export type Handler = (call: Call) => void;

export const routes: readonly Route<Handler>[] = [
  ['GET', '/ping', ping],
  ['GET', '/health', health],
  ['GET', '/version', version],
  ['GET', '/livez', livez],
  ['GET', '/readyz', readyz],
  ['GET', '/metrics', metrics],

  ['POST', '/metadata', answerMetadata],
  ['POST', '/model', answerModel],
  ['POST', '/parameters', answerParameters],
  ['POST', '/constraints', answerConstraints],
  ['POST', '/plan', answerPlan],
  ['POST', '/execute', execute],
  ['POST', '/transaction', transaction],

  ['GET', '/schema/version', answerVersion],
  ['GET', '/schema', answerSchema],
  ['GET', '/domain', answerDomain],
  ['GET', '/entities', answerEntities],
  ['GET', '/entities/{name}', answerEntity],
  ['GET', '/enums', answerEnums],
  ['GET', '/enums/{name}', answerEnum],
  ['GET', '/sources', answerSources],
  ['GET', '/sources/{name}', answerSource],
  ['GET', '/mappings', answerMappings],
  ['GET', '/mappings/{name}', answerMapping],
  ['GET', '/mappings/{name}/{entity}', answerMappingEntity],
  ['GET', '/views', answerViews],

  ['GET', '/stages', answerStages],
  ['GET', '/stages/{name}', answerStage],
  ['POST', '/stages/{name}/import', importStage],
  ['GET', '/stages/{name}/exists', answerStageExists],
  ['GET', '/stages/{name}/export', exportStage],
];
