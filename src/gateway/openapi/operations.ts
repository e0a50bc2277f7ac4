/** The descriptions of the routes in the OpenAPI document, in addition to the route table. */
import { ROWS_TYPES } from '../rows-format.js';
import type { ExampleBodies, ExampleNames } from './examples.js';

/** An operation. Schemas are names of components. */
export interface Operation {
  readonly id: string;
  readonly tag: 'General' | 'Queries' | 'Schema' | 'Stages';
  readonly summary: string;
  /** The schemas of a JSON body, one of which must match. */
  readonly body?: readonly string[];
  /** The examples of the body. */
  readonly examples?: keyof ExampleBodies;
  /** The schemas of the answer, one of which matches; absent if there is no body. */
  readonly answer?: Answer;
  /** The value of `{name}` in the path, for examples. */
  readonly name?: keyof ExampleNames;
  /** The parameters of the URL, by name. */
  readonly parameters?: readonly Parameter[];
}

/** An answer: its JSON schemas, and other media types. */
export interface Answer {
  /** `*`: a list of it. */
  readonly json?: readonly string[];
  readonly others?: readonly string[];
}

const parameters = {
  format: '`beautiful` indents the answer.',
  view: 'The view; by default, that of the sender, or `default`.',
  strict: '`true`: unknown members make the import fail.',
  readOnly: '`true`: includes the rows of read-only entities.',
  sort: 'What the plans are sorted by, the largest first: totalMs, meanMs, calls, rows …',
  limit: 'The most plans that are listed.',
} as const;

export type Parameter = keyof typeof parameters;

/** What a parameter of the URL means. */
export function meaningOf(parameter: Parameter): string {
  return parameters[parameter];
}

const query = { tag: 'Queries', body: ['Query'], examples: 'query' } as const;
const described = { tag: 'Schema', parameters: ['view', 'format'] } as const;
const one = (schema: string) => ({ answer: { json: [schema] } });
const many = (schema: string) => ({ answer: { json: [`*${schema}`] } });
/** The media types of rows after JSON. */
const [, ...OTHER_ROWS_TYPES] = ROWS_TYPES;
const PROMETHEUS = 'text/plain';
const PAGE = { answer: { others: ['text/html'] } };

/** By method and path. */
export const operations: Readonly<Record<string, Operation>> = {
  'GET /': { id: 'home', tag: 'General', summary: 'Links to the pages, for browsers.', ...PAGE },
  'GET /ping': {
    id: 'ping',
    tag: 'General',
    summary: 'Answers as long as the process runs.',
    ...one('Ping'),
  },
  'GET /health': {
    id: 'health',
    tag: 'General',
    summary: 'The seconds since the start.',
    ...one('Health'),
  },
  'GET /version': {
    id: 'version',
    tag: 'General',
    summary: 'The version of the program.',
    ...one('Version'),
  },
  'GET /livez': {
    id: 'livez',
    tag: 'General',
    summary: 'Whether the process runs.',
    ...one('Live'),
  },
  'GET /readyz': {
    id: 'readyz',
    tag: 'General',
    summary: 'Whether every source answers.',
    ...one('Ready'),
  },
  'GET /metrics': {
    id: 'metrics',
    tag: 'General',
    summary: "The metrics in Prometheus's text format.",
    answer: { others: [PROMETHEUS] },
  },
  'GET /stats': {
    id: 'stats',
    tag: 'General',
    summary: 'What the plans, the sources and the caches do.',
    parameters: ['sort', 'limit', 'format'],
    ...one('Stats'),
  },
  'DELETE /stats': {
    id: 'resetStats',
    tag: 'General',
    summary: 'Resets the statistics of the plans.',
  },
  'GET /openapi.json': {
    id: 'openapi',
    tag: 'General',
    summary: 'This document.',
    ...one('OpenApi'),
  },
  'GET /docs': { id: 'docs', tag: 'General', summary: 'A page that shows this document.', ...PAGE },
  'GET /docs/{name}': {
    id: 'docsFile',
    tag: 'General',
    summary: 'A file of that page.',
    name: 'file',
    answer: { others: ['text/css', 'text/javascript'] },
  },
  'GET /console': { id: 'console', tag: 'General', summary: 'A page for queries.', ...PAGE },
  'GET /console/{file}': {
    id: 'consoleFile',
    tag: 'General',
    summary: 'A file of that page.',
    answer: { others: ['text/css', 'text/javascript', 'image/svg+xml'] },
  },
  'POST /metadata': {
    ...query,
    id: 'metadata',
    summary: 'The tree of statements of a query.',
    ...one('Metadata'),
  },
  'POST /model': {
    ...query,
    id: 'model',
    summary: 'The members of a row of the answer.',
    ...one('Model'),
  },
  'POST /parameters': {
    ...query,
    id: 'parameters',
    summary: 'The parameters of a query and their types.',
    ...one('Parameters'),
  },
  'POST /constraints': {
    ...query,
    id: 'constraints',
    summary: 'The constraints that a write is checked against.',
    ...one('Constraints'),
  },
  'POST /plan': { ...query, id: 'plan', summary: 'The SQL of a query.', ...one('Plan') },
  'POST /explain': {
    ...query,
    id: 'explain',
    summary: "The database's own plans of a query.",
    answer: { json: [] },
  },
  'POST /execute': {
    id: 'execute',
    tag: 'Queries',
    summary: 'Executes a query, or a list of queries.',
    body: ['Query', 'Queries'],
    examples: 'execute',
    parameters: ['format'],
    answer: { json: ['Answer', 'Answers'], others: OTHER_ROWS_TYPES },
  },
  'POST /transaction': {
    id: 'transaction',
    tag: 'Queries',
    summary: 'Runs a list of queries in one transaction.',
    body: ['Transaction'],
    examples: 'transaction',
    parameters: ['format'],
    answer: { json: ['*Answer'] },
  },
  'GET /schema/version': {
    ...described,
    id: 'schemaVersion',
    summary: 'The version of the schema.',
    ...one('SchemaVersion'),
  },
  'GET /schema': { ...described, id: 'schema', summary: 'The schema.', ...one('Schema') },
  'GET /domain': {
    ...described,
    id: 'domain',
    summary: 'The entities and enums.',
    ...one('Domain'),
  },
  'GET /entities': {
    ...described,
    id: 'entities',
    summary: 'All entities.',
    ...many('EntityDescription'),
  },
  'GET /entities/{name}': {
    ...described,
    id: 'entity',
    summary: 'An entity.',
    name: 'entity',
    ...one('EntityDescription'),
  },
  'GET /enums': { ...described, id: 'enums', summary: 'All enums.', ...many('EnumDescription') },
  'GET /enums/{name}': {
    ...described,
    id: 'enum',
    summary: 'An enum.',
    name: 'enum',
    ...one('EnumDescription'),
  },
  'GET /sources': { ...described, id: 'sources', summary: 'All sources.', ...many('Source') },
  'GET /sources/{name}': {
    ...described,
    id: 'source',
    summary: 'A source, in a list.',
    name: 'source',
    ...many('Source'),
  },
  'GET /mappings': { ...described, id: 'mappings', summary: 'All mappings.', ...many('Mapping') },
  'GET /mappings/{name}': {
    ...described,
    id: 'mapping',
    summary: 'A mapping.',
    name: 'mapping',
    ...one('Mapping'),
  },
  'GET /mappings/{name}/{entity}': {
    ...described,
    id: 'mappingEntity',
    summary: 'An entity with its table and columns.',
    name: 'mapping',
    ...one('EntityDescription'),
  },
  'GET /views': {
    ...described,
    id: 'views',
    summary: 'The names of the views.',
    answer: { json: ['*'] },
  },
  'GET /stages': {
    tag: 'Stages',
    id: 'stages',
    summary: 'All stages.',
    parameters: ['format'],
    ...many('Stage'),
  },
  'GET /stages/{name}': {
    ...described,
    tag: 'Stages',
    id: 'stage',
    summary: 'A stage.',
    name: 'stage',
    ...one('Stage'),
  },
  'POST /stages/{name}/import': {
    id: 'import',
    tag: 'Stages',
    summary: 'Stores the rows of a document.',
    name: 'stage',
    body: ['Import'],
    examples: 'import',
    parameters: ['view', 'strict'],
    ...one('Imported'),
  },
  'GET /stages/{name}/exists': {
    id: 'exists',
    tag: 'Stages',
    summary: 'Whether all tables exist.',
    name: 'stage',
    ...one('Exists'),
  },
  'GET /stages/{name}/export': {
    id: 'export',
    tag: 'Stages',
    summary: 'All rows, as a document for the import.',
    name: 'stage',
    parameters: ['view', 'readOnly', 'format'],
    ...one('Export'),
  },
};
