/** The descriptions of the routes in the OpenAPI document, in addition to the route table. */
import { ROWS_TYPES } from '../rows-format.js';
import type { ExampleBodies } from './examples.js';

/** An operation. Schemas are names of components. */
export interface Operation {
  readonly tag: 'General' | 'Queries' | 'Schema' | 'Stages';
  readonly summary: string;
  /** The schemas of a JSON body, one of which must match. */
  readonly body?: readonly string[];
  readonly examples?: keyof ExampleBodies;
  /** The schemas of the answer, one of which matches; absent if there is no body. */
  readonly answer?: Answer;
  /** The parameters of the URL, by name, without those that all JSON answers have. */
  readonly parameters?: readonly Parameter[];
  readonly headers?: readonly (keyof typeof requestHeaders)[];
}

/** An answer: its JSON schemas, other media types, and the headers that it may have. */
export interface Answer {
  /** `*`: a list of it. */
  readonly json?: readonly string[];
  readonly others?: readonly string[];
  readonly headers?: readonly (keyof typeof answerHeaders)[];
}

/** What each parameter of the URL means. */
export const parameters = {
  format: '`beautiful` indents the answer.',
  timing: '`true`: the header `Server-Timing` says where the time of the request went.',
  view: 'The view; by default, that of the sender, or `default`.',
  strict: '`true`: unknown members make the import fail.',
  readOnly: '`true`: includes the rows of read-only entities.',
  sort: 'What the plans are sorted by, the largest first: totalMs, meanMs, calls, rows …',
  limit: 'The most plans that are listed.',
} as const;

export type Parameter = keyof typeof parameters;

/** What each header of a request means, and which texts it takes. */
export const requestHeaders = {
  'Idempotency-Key': {
    description:
      'A write that is sent again with the same key is executed once, and gets the first answer.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[ -~]+$' },
  },
} as const;

/** What each header of an answer means. */
export const answerHeaders = {
  'X-Total-Count': {
    description: 'The number of rows without the page, if the option `count` asks for it.',
    schema: { type: 'integer' },
  },
  Link: {
    description: 'The cursor of the next page after `after(cursor)`.',
    schema: { type: 'string' },
  },
  'Rowgate-Warning': {
    description: 'The sort of the page is not unique.',
    schema: { type: 'string' },
  },
} as const;

type More = Omit<Operation, 'tag' | 'summary'>;

/** Creates the operations of a tag, which share these members. */
function tagged(tag: Operation['tag'], shared: More = {}) {
  return (summary: string, more: More = {}): Operation => {
    return { ...shared, tag, summary, ...more };
  };
}

const general = tagged('General');
const query = tagged('Queries', { body: ['Query'], examples: 'query' });
const described = tagged('Schema', { parameters: ['view'] });
const stage = tagged('Stages');
const one = (schema: string) => ({ answer: { json: [schema] } });
const many = (schema: string) => ({ answer: { json: [`*${schema}`] } });
const others = (...types: readonly string[]) => ({ answer: { others: types } });
/** The media types of rows after JSON. */
const [, ...OTHER_ROWS_TYPES] = ROWS_TYPES;
const PAGE = others('text/html');

/** By the id that the route table gives them. */
export const operations = {
  home: general('Links to the pages, for browsers.', PAGE),
  ping: general('Answers as long as the process runs.', one('Ping')),
  health: general('The seconds since the start.', one('Health')),
  version: general('The version of the program.', one('Version')),
  livez: general('Whether the process runs.', one('Live')),
  readyz: general('Whether every source answers.', one('Ready')),
  metrics: general("The metrics in Prometheus's text format.", others('text/plain')),
  stats: general('What the plans, the sources and the caches do.', {
    parameters: ['sort', 'limit'],
    ...one('Stats'),
  }),
  resetStats: general('Resets the statistics of the plans.'),
  openapi: general('This document.', { parameters: ['view'], ...one('OpenApi') }),
  docs: general('A page that shows this document.', PAGE),
  docsFile: general('A file of that page.', others('text/css', 'text/javascript')),
  console: general('A page for queries.', PAGE),
  consoleFile: general(
    'A file of that page.',
    others('text/css', 'text/javascript', 'image/svg+xml'),
  ),
  metadata: query('The tree of statements of a query.', one('Metadata')),
  model: query('The members of a row of the answer.', one('Model')),
  parameters: query('The parameters of a query and their types.', one('Parameters')),
  constraints: query('The constraints that a write is checked against.', one('Constraints')),
  plan: query('The SQL of a query.', one('Plan')),
  explain: query("The database's own plans of a query.", {
    body: ['Explanation'],
    answer: { json: [] },
  }),
  execute: query('Executes a query, or a list of queries.', {
    body: ['Query', 'Queries'],
    examples: 'execute',
    headers: ['Idempotency-Key'],
    answer: {
      json: ['Answer', 'Answers'],
      others: OTHER_ROWS_TYPES,
      headers: ['X-Total-Count', 'Link', 'Rowgate-Warning'],
    },
  }),
  transaction: query('Runs a list of queries in one transaction.', {
    body: ['Transaction'],
    examples: 'transaction',
    headers: ['Idempotency-Key'],
    ...many('Answer'),
  }),
  schemaVersion: described('The version of the schema.', one('SchemaVersion')),
  schema: described('The schema.', one('Schema')),
  domain: described('The entities and enums.', one('Domain')),
  entities: described('All entities.', many('EntityDescription')),
  entity: described('An entity.', one('EntityDescription')),
  enums: described('All enums.', many('EnumDescription')),
  enum: described('An enum.', one('EnumDescription')),
  sources: described('All sources.', many('Source')),
  source: described('A source, in a list.', many('Source')),
  mappings: described('All mappings.', many('Mapping')),
  mapping: described('A mapping.', one('Mapping')),
  mappingEntity: described('An entity with its table and columns.', one('EntityDescription')),
  views: described('The names of the views.', many('')),
  stages: stage('All stages.', many('Stage')),
  stage: stage('A stage.', { parameters: ['view'], ...one('Stage') }),
  import: stage('Stores the rows of a document.', {
    body: ['Import'],
    examples: 'import',
    parameters: ['view', 'strict'],
    ...one('Imported'),
  }),
  exists: stage('Whether all tables exist.', one('Exists')),
  export: stage('All rows, as a document for the import.', {
    parameters: ['view', 'readOnly'],
    ...one('Export'),
  }),
};

export type OperationId = keyof typeof operations;
