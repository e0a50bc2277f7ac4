/** Creates the OpenAPI 3.1 document: the routes that a sender may use, the entities that it may see. */
import type { Configuration } from '../config.js';
import { entitySchemas } from './entity-schemas.js';
import { type ExampleBodies, type ExampleNames, exampleBodies, exampleNames } from './examples.js';
import { list, reference, type Schema } from './json-schema.js';
import {
  type Answer,
  answerHeaders,
  type Operation,
  type OperationId,
  operations,
  type Parameter,
  parameters as meanings,
  requestHeaders,
} from './operations.js';
import { ownSchemas } from './own-schemas.js';
import type { Sight } from './sight.js';

/** A route, and whether it needs neither a key nor a token. */
export interface DescribedRoute {
  readonly method: string;
  readonly path: string;
  readonly id: OperationId;
  readonly isOpen: boolean;
}

export interface DocumentOrder extends Sight {
  readonly version: string;
  readonly routes: readonly DescribedRoute[];
  readonly limits: Configuration;
  /** Whether requests need keys or tokens. */
  readonly isGuarded: boolean;
}

export function openapiDocument(order: DocumentOrder): Schema {
  const { version, routes, limits, isGuarded } = order;
  const own = ownSchemas(limits);
  const entities = entitySchemas(order);
  const names = ownNames(Object.keys(own), entities);
  const schemas: Record<string, unknown> = { ...entities };
  for (const [name, schema] of Object.entries(own)) schemas[names(name)] = withNames(schema, names);
  const context = {
    bodies: exampleBodies(order),
    pathNames: exampleNames(order),
    isGuarded,
    ofJson: parametersOfJson(limits),
  };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Rowgate',
      version,
      description: 'Queries by expression: rows, writes, and descriptions of both.',
    },
    servers: [{ url: '.' }],
    tags: ['General', 'Queries', 'Schema', 'Stages'].map((name) => ({ name })),
    paths: withNames(pathsOf(routes, context), names),
    components: {
      schemas,
      ...(isGuarded && { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } }),
    },
    ...(isGuarded && { security: [{ bearer: [] }] }),
  };
}

/** Maps the names of our own components. If an entity has the same name, ours gets a prefix. */
type Names = (own: string) => string;

function ownNames(own: readonly string[], entities: Readonly<Record<string, Schema>>): Names {
  const taken = new Set(own.filter((name) => Object.hasOwn(entities, name)));
  return (name) => (taken.has(name) ? `Rowgate.${name}` : name);
}

/** The schema with the final names in its references. */
function withNames(schema: Schema, names: Names): unknown {
  const start = '#/components/schemas/';
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
    key === '$ref' && typeof value === 'string' ? start + names(value.slice(start.length)) : value,
  );
}

interface Context {
  readonly bodies: ExampleBodies;
  readonly pathNames: ExampleNames;
  readonly isGuarded: boolean;
  /** The parameters of all operations with JSON answers. */
  readonly ofJson: readonly Parameter[];
}

function parametersOfJson({ serverTiming }: Configuration): readonly Parameter[] {
  return serverTiming === 'asked' ? ['format', 'timing'] : ['format'];
}

function pathsOf(routes: readonly DescribedRoute[], context: Context): Schema {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const item = (paths[route.path] ??= {});
    item[route.method.toLowerCase()] = operationOf(route, context);
  }
  return paths;
}

function operationOf({ id, path, isOpen }: DescribedRoute, context: Context): Schema {
  const operation = operations[id];
  const { tag, summary } = operation;
  const parameters = parametersOf(path, operation, context);
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(isOpen && context.isGuarded && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...bodyOf(operation, context),
    responses: responsesOf(operation),
  };
}

function parametersOf(
  path: string,
  operation: Operation,
  { pathNames, ofJson }: Context,
): readonly Schema[] {
  const schema = { type: 'string' };
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    const kind = name === 'entity' ? name : namedIn[path.split('/')[1] ?? ''];
    const example = kind && pathNames[kind];
    return { name, in: 'path', required: true, schema, ...(example !== undefined && { example }) };
  });
  const { parameters: own = [], headers = [], answer } = operation;
  const inQuery = [...own, ...(answer?.json ? ofJson : [])].map((name) => {
    return { name, in: 'query', description: meanings[name], schema };
  });
  const inHead = headers.map((name) => ({ name, in: 'header', ...requestHeaders[name] }));
  return [...inPath, ...inQuery, ...inHead];
}

/** What `{name}` is in a path that begins with this segment. */
const namedIn: Readonly<Record<string, keyof ExampleNames>> = {
  entities: 'entity',
  enums: 'enum',
  sources: 'source',
  mappings: 'mapping',
  stages: 'stage',
  docs: 'file',
};

function bodyOf({ body, examples }: Operation, { bodies }: Context): Schema {
  if (!body) return {};
  const all = Object.entries<unknown>(examples ? bodies[examples] : {});
  const shown = Object.fromEntries(all.map(([name, value]) => [name, { value }]));
  const content = { schema: anyOf(body), ...(all.length > 0 && { examples: shown }) };
  return { requestBody: { required: true, content: { 'application/json': content } } };
}

function responsesOf({ answer }: Operation): Schema {
  const problem = { 'application/problem+json': { schema: reference('Problem') } };
  return {
    ...(answer
      ? { 200: { description: 'The answer.', ...headersOf(answer), content: contentOf(answer) } }
      : { 204: { description: 'Done.' } }),
    default: { description: 'A problem (RFC 9457).', content: problem },
  };
}

function headersOf({ headers }: Answer): Schema {
  if (!headers) return {};
  return { headers: Object.fromEntries(headers.map((name) => [name, answerHeaders[name]])) };
}

function contentOf({ json, others = [] }: Answer): Schema {
  const content: Record<string, Schema> = {};
  if (json) content['application/json'] = { schema: anyOf(json) };
  for (const type of others) content[type] = { schema: { type: 'string' } };
  return content;
}

/** `*` before a name: a list of it, or of texts. */
function anyOf(all: readonly string[]): Schema {
  const schemas = all.map((name) => {
    if (name === '*') return list({ type: 'string' });
    return name.startsWith('*') ? list(reference(name.slice(1))) : reference(name);
  });
  const [first = {}, ...others] = schemas;
  return others.length === 0 ? first : { anyOf: schemas };
}
