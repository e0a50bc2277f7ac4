/** JSON Schemas of the requests, and of the answers that do not depend on the domain. */
import type { Configuration } from '../config.js';
import { errorTable } from '../errors.js';
import type { QueryOption } from '../query-request.js';
import { answerSchemas } from '../small-answers.js';
import {
  anyObject,
  flag,
  list,
  nullable,
  object,
  reference,
  type Schema,
  text,
} from './json-schema.js';

const integer: Schema = { type: 'integer' };

/** The options of a query. `satisfies` ensures that they are the ones that requests may have. Null counts as absent. */
const options = {
  stage: nullable(text),
  view: nullable(text),
  count: nullable({ ...flag, description: 'Whether the answer has the header X-Total-Count.' }),
  headers: { description: 'Without effect.' },
  chunkSize: { description: 'Without effect.' },
  tryAllCan: { description: 'Without effect.' },
} satisfies Record<QueryOption, Schema>;

const analyze = nullable({ ...flag, description: 'Whether the statements run, too.' });

/** The schemas by their names as components. */
export function ownSchemas(limits: Configuration): Readonly<Record<string, Schema>> {
  return { ...answerSchemas, ...descriptions, ...requestSchemas(limits), Problem: problem };
}

/** RFC 9457. */
const problem: Schema = {
  ...answerSchemas.Problem,
  required: ['type', 'title', 'status', 'detail', 'code'],
  properties: {
    ...answerSchemas.Problem.properties,
    code: { ...text, examples: Object.keys(errorTable).slice(0, 1) },
  },
};

function requestSchemas(limits: Configuration): Readonly<Record<string, Schema>> {
  const { expressionLengthMax, executeQueriesMax, transactionStepsMax } = limits;
  const own = {
    query: {
      ...text,
      minLength: 1,
      maxLength: expressionLengthMax,
      description: 'A query expression.',
    },
    data: {
      description:
        'The values of the parameters, or the rows of a write; or the JSON text of that.',
      oneOf: [anyObject, { type: 'array' }, text, { type: 'null' }],
    },
    options: orItsText(closed(options)),
  };
  const steps = { ...list(reference('Query')), minItems: 1, maxItems: transactionStepsMax };
  const mode = closed({
    ...options,
    isolation: nullable({ enum: ['readCommitted', 'repeatableRead', 'serializable'] }),
    readOnly: nullable(flag),
  });
  return {
    Query: object(own, 1),
    Explanation: object({ ...own, options: orItsText(closed({ ...options, analyze })) }, 1),
    Queries: { ...list(reference('Query')), maxItems: executeQueriesMax },
    Transaction: { oneOf: [steps, object({ steps, options: orItsText(mode) }, 1)] },
    Import: document,
    Rows: list(anyObject),
    Answer: {
      description:
        'The rows of a read; or the stored object, the stored objects, or the number of rows of a write.',
      anyOf: [list({}), anyObject, { type: 'integer' }],
    },
    Answers: {
      description: 'The answer of each query, or its problem.',
      ...list({ anyOf: [reference('Answer'), reference('Problem')] }),
    },
  };
}

/** Any other member is an error. */
function closed(properties: Readonly<Record<string, Schema>>): Schema {
  return { ...object(properties, 0), additionalProperties: false };
}

function orItsText(schema: Schema): Schema {
  return {
    oneOf: [schema, { ...text, description: 'The JSON text of the object.' }, { type: 'null' }],
  };
}

const textOrTexts: Schema = { oneOf: [text, list(text)] };
const relation = object(
  {
    name: text,
    type: { enum: ['oneToMany', 'manyToOne', 'oneToOne'] },
    from: textOrTexts,
    to: textOrTexts,
    entity: text,
  },
  5,
);
const property = object({ name: text, type: text, required: flag, length: integer }, 3);
const entity = object(
  {
    name: text,
    primaryKey: list(text),
    uniqueKey: list(text),
    properties: list(property),
    relations: list(relation),
  },
  5,
);
const domain = object({
  version: text,
  entities: list(reference('EntityDescription')),
  enums: list(reference('EnumDescription')),
});

/** What an export writes and an import reads. */
const document = object({ entities: list(object({ entity: text, rows: list(anyObject) })) });

const descriptions: Readonly<Record<string, Schema>> = {
  EntityDescription: entity,
  EnumDescription: object({ name: text, values: list({}) }, 2),
  Domain: domain,
  Schema: object({ version: text, domain: reference('Domain') }),
  SchemaVersion: object({ version: text }),
  Source: object({ name: text, dialect: text }),
  Mapping: object({ name: text, entities: list(reference('EntityDescription')) }),
  Stage: object({ name: text, sources: list(object({ name: text })) }),
  Metadata: object({ classtype: text, name: text, children: list(reference('Metadata')) }, 3),
  Model: list(object({ name: text, type: text, children: reference('Model') }, 2)),
  Parameters: list(object({ name: text, type: text }, 2)),
  Constraints: object(
    {
      entity: text,
      constraints: list(anyObject),
      children: list(reference('Constraints')),
    },
    2,
  ),
  Plan: object(
    {
      entity: text,
      dialect: text,
      source: text,
      sentence: text,
      children: list(reference('Plan')),
    },
    4,
  ),
  Stats: object({ since: text, plans: list(anyObject) }),
  OpenApi: object({ openapi: text, info: anyObject, paths: anyObject }),
  Export: document,
};
