/** The schema endpoints: what the engine describes of the schema in force. */
import {
  type Catalog,
  describeDomain,
  describeEntities,
  describeEntity,
  describeEnum,
  describeEnums,
  describeMapping,
  describeMappingEntity,
  describeMappings,
  describeSchema,
  describeSource,
  describeSources,
  describeVersion,
  describeViews,
} from '../../engine/index.js';
import type { AnswerName } from '../answers/serializers.js';
import type { Call } from '../call.js';
import { shownCatalog } from '../choose-view.js';
import type { KnownProblem } from '../errors.js';

export const answerVersion = told('Version', describeVersion);
export const answerSchema = told('Schema', describeSchema);
export const answerDomain = told('Domain', describeDomain);
export const answerEntities = told('Entities', describeEntities);
export const answerEnums = told('Enums', describeEnums);
export const answerSources = told('Sources', describeSources);
export const answerMappings = told('Mappings', describeMappings);
export const answerViews = told('Views', describeViews);

/** `GET /entities/{name}`. */
export function answerEntity(call: Call): void {
  tellNamed(call, 'Entity', 'entity-not-found', describeEntity);
}

/** `GET /enums/{name}`. */
export function answerEnum(call: Call): void {
  tellNamed(call, 'Enum', 'enum-not-found', describeEnum);
}

/** `GET /sources/{name}`: a list of the one. */
export function answerSource(call: Call): void {
  tellNamed(call, 'Sources', 'source-not-found', describeSource);
}

/** `GET /mappings/{name}`. */
export function answerMapping(call: Call): void {
  tellNamed(call, 'Mapping', 'mapping-not-found', describeMapping);
}

/** `GET /mappings/{name}/{entity}`. */
export function answerMappingEntity(call: Call): void {
  const [mapping = '', entity = ''] = call.parameters;
  withShown(call, (catalog) => {
    if (describeMapping(catalog, mapping) === undefined) {
      refuse(call, 'mapping-not-found', mapping);
      return;
    }
    const value = describeMappingEntity(catalog, mapping, entity);
    if (value === undefined) refuse(call, 'entity-not-found', entity);
    else call.sendDescription('MappingEntity', value);
  });
}

/** Calls `use` with what the view of the URL shows, or answers 404 where there is no such view. */
function withShown(call: Call, use: (catalog: Catalog) => void): void {
  const shown = shownCatalog(call.service.catalog, call.exchange.query);
  if ('problem' in shown) call.sendProblem(shown.problem);
  else use(shown.catalog);
}

/** Answers what a name stands for, or 404. */
export function tellNamed(
  call: Call,
  answer: AnswerName,
  code: NotFoundCode,
  describe: (catalog: Catalog, name: string) => unknown,
): void {
  const [name = ''] = call.parameters;
  withShown(call, (catalog) => {
    const value = describe(catalog, name);
    if (value === undefined) refuse(call, code, name);
    else call.sendDescription(answer, value);
  });
}

type NotFoundCode = Extract<KnownProblem['code'], `${string}-not-found`>;

/** Answers 404 for a name. */
function refuse(call: Call, code: NotFoundCode, name: string): void {
  const kind = code.slice(0, code.indexOf('-'));
  call.sendProblem({ code, detail: `There is no ${kind} named "${name}".` });
}

function told(answer: AnswerName, describe: (catalog: Catalog) => unknown) {
  return (call: Call): void =>
    withShown(call, (catalog) => call.sendDescription(answer, describe(catalog)));
}
