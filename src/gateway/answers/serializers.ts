/**
 * The serializers of the small answers, compiled from their JSON Schemas by fast-json-stringify: each
 * when it is first needed.
 */
import fastJson from 'fast-json-stringify';
import { generalSchemas } from './general-schemas.js';
import type { JsonSchema } from './json-schema.js';
import { querySchemas } from './query-schemas.js';
import { schemaSchemas } from './schema-schemas.js';

/** Every answer but rows, by name: the `components.schemas` of an OpenAPI document. */
export const answerSchemas = { ...generalSchemas, ...querySchemas, ...schemaSchemas } as const;

export type AnswerName = keyof typeof answerSchemas;

type Serialize = (value: unknown) => string;

const serializers = new Map<AnswerName, Serialize>();

/** The answer as compact JSON, its members in the order of its schema. */
export function stringifyAnswer(name: AnswerName, value: unknown): string {
  const known = serializers.get(name);
  if (known !== undefined) return known(value);
  const built = buildSerializer(name);
  serializers.set(name, built);
  return built(value);
}

/** A problem as problem+json. */
export function stringifyProblem(problem: unknown): string {
  return stringifyAnswer('Problem', problem);
}

function buildSerializer(name: AnswerName): Serialize {
  const components = {
    schemas: Object.fromEntries(
      Object.entries(answerSchemas).map(([key, schema]) => [key, withoutRequired(schema)]),
    ),
  };
  const root: object = { $ref: `#/components/schemas/${name}`, components };
  return fastJson(root);
}

/** Without `required`, which would move those members to the front of the text. */
function withoutRequired(schema: JsonSchema): JsonSchema {
  if ('$ref' in schema) return schema;
  const { required: _required, items, properties, ...rest } = schema;
  return {
    ...rest,
    ...(items !== undefined && { items: withoutRequired(items) }),
    ...(properties !== undefined && { properties: mapValues(properties) }),
  };
}

function mapValues(properties: Readonly<Record<string, JsonSchema>>) {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, withoutRequired(schema)]),
  );
}
