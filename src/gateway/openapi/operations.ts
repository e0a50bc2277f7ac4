/** The descriptions of the routes in the OpenAPI document, in addition to the route table. */
import { ROWS_TYPES } from '../rows-format.js';
import type { ExampleBodies } from './examples.js';

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
  /** The parameters of the URL, by name. */
  readonly parameters?: readonly Parameter[];
}

/** An answer: its JSON schemas, and other media types. */
export interface Answer {
  /** `*`: a list of it. */
  readonly json?: readonly string[];
  readonly others?: readonly string[];
}

/** What each parameter of the URL means. */
export const parameters = {
  format: '`beautiful` indents the answer.',
  view: 'The view; by default, that of the sender, or `default`.',
  strict: '`true`: unknown members make the import fail.',
  readOnly: '`true`: includes the rows of read-only entities.',
  sort: 'What the plans are sorted by, the largest first: totalMs, meanMs, calls, rows …',
  limit: 'The most plans that are listed.',
} as const;

type Parameter = keyof typeof parameters;

type More = Omit<Operation, 'id' | 'tag' | 'summary'>;

/** Creates the operations of a tag, which share these members. */
function tagged(tag: Operation['tag'], shared: More = {}) {
  return (id: string, summary: string, more: More = {}): Operation => {
    return { ...shared, id, tag, summary, ...more };
  };
}

const general = tagged('General');
const query = tagged('Queries', { body: ['Query'], examples: 'query' });
const described = tagged('Schema', { parameters: ['view', 'format'] });
const stage = tagged('Stages');
const one = (schema: string) => ({ answer: { json: [schema] } });
const many = (schema: string) => ({ answer: { json: [`*${schema}`] } });
const others = (...types: readonly string[]) => ({ answer: { others: types } });
/** The media types of rows after JSON. */
const [, ...OTHER_ROWS_TYPES] = ROWS_TYPES;
const PAGE = others('text/html');

/** By method and path. */
export const operations: Readonly<Record<string, Operation>> = {
  'GET /': general('home', 'Links to the pages, for browsers.', PAGE),
  'GET /ping': general('ping', 'Answers as long as the process runs.', one('Ping')),
  'GET /health': general('health', 'The seconds since the start.', one('Health')),
  'GET /version': general('version', 'The version of the program.', one('Version')),
  'GET /livez': general('livez', 'Whether the process runs.', one('Live')),
  'GET /readyz': general('readyz', 'Whether every source answers.', one('Ready')),
  'GET /metrics': general(
    'metrics',
    "The metrics in Prometheus's text format.",
    others('text/plain'),
  ),
  'GET /stats': general('stats', 'What the plans, the sources and the caches do.', {
    parameters: ['sort', 'limit', 'format'],
    ...one('Stats'),
  }),
  'DELETE /stats': general('resetStats', 'Resets the statistics of the plans.'),
  'GET /openapi.json': general('openapi', 'This document.', one('OpenApi')),
  'GET /docs': general('docs', 'A page that shows this document.', PAGE),
  'GET /docs/{name}': general(
    'docsFile',
    'A file of that page.',
    others('text/css', 'text/javascript'),
  ),
  'GET /console': general('console', 'A page for queries.', PAGE),
  'GET /console/{file}': general(
    'consoleFile',
    'A file of that page.',
    others('text/css', 'text/javascript', 'image/svg+xml'),
  ),
  'POST /metadata': query('metadata', 'The tree of statements of a query.', one('Metadata')),
  'POST /model': query('model', 'The members of a row of the answer.', one('Model')),
  'POST /parameters': query(
    'parameters',
    'The parameters of a query and their types.',
    one('Parameters'),
  ),
  'POST /constraints': query(
    'constraints',
    'The constraints that a write is checked against.',
    one('Constraints'),
  ),
  'POST /plan': query('plan', 'The SQL of a query.', one('Plan')),
  'POST /explain': query('explain', "The database's own plans of a query.", {
    answer: { json: [] },
  }),
  'POST /execute': query('execute', 'Executes a query, or a list of queries.', {
    body: ['Query', 'Queries'],
    examples: 'execute',
    parameters: ['format'],
    answer: { json: ['Answer', 'Answers'], others: OTHER_ROWS_TYPES },
  }),
  'POST /transaction': query('transaction', 'Runs a list of queries in one transaction.', {
    body: ['Transaction'],
    examples: 'transaction',
    parameters: ['format'],
    ...many('Answer'),
  }),
  'GET /schema/version': described(
    'schemaVersion',
    'The version of the schema.',
    one('SchemaVersion'),
  ),
  'GET /schema': described('schema', 'The schema.', one('Schema')),
  'GET /domain': described('domain', 'The entities and enums.', one('Domain')),
  'GET /entities': described('entities', 'All entities.', many('EntityDescription')),
  'GET /entities/{name}': described('entity', 'An entity.', one('EntityDescription')),
  'GET /enums': described('enums', 'All enums.', many('EnumDescription')),
  'GET /enums/{name}': described('enum', 'An enum.', one('EnumDescription')),
  'GET /sources': described('sources', 'All sources.', many('Source')),
  'GET /sources/{name}': described('source', 'A source, in a list.', many('Source')),
  'GET /mappings': described('mappings', 'All mappings.', many('Mapping')),
  'GET /mappings/{name}': described('mapping', 'A mapping.', one('Mapping')),
  'GET /mappings/{name}/{entity}': described(
    'mappingEntity',
    'An entity with its table and columns.',
    one('EntityDescription'),
  ),
  'GET /views': described('views', 'The names of the views.', many('')),
  'GET /stages': stage('stages', 'All stages.', { parameters: ['format'], ...many('Stage') }),
  'GET /stages/{name}': stage('stage', 'A stage.', {
    parameters: ['view', 'format'],
    ...one('Stage'),
  }),
  'POST /stages/{name}/import': stage('import', 'Stores the rows of a document.', {
    body: ['Import'],
    examples: 'import',
    parameters: ['view', 'strict'],
    ...one('Imported'),
  }),
  'GET /stages/{name}/exists': stage('exists', 'Whether all tables exist.', one('Exists')),
  'GET /stages/{name}/export': stage('export', 'All rows, as a document for the import.', {
    parameters: ['view', 'readOnly', 'format'],
    ...one('Export'),
  }),
};
