/**
 * The serializers of the small answers, compiled from their JSON Schemas by fast-json-stringify: each
 * when it is first needed.
 */
import fastJson from 'fast-json-stringify';
import { generalSchemas } from './general-schemas.js';
import { querySchemas } from './query-schemas.js';
import { schemaSchemas } from './schema-schemas.js';

/** Every answer but rows, by name. */
const schemas = { ...generalSchemas, ...querySchemas, ...schemaSchemas } as const;

export type AnswerName = keyof typeof schemas;

const serializers = new Map<AnswerName, (value: unknown) => string>();

/** The answer as compact JSON, its members in the order of its schema. */
export function stringifyAnswer(name: AnswerName, value: unknown): string {
  let serialize = serializers.get(name);
  if (serialize === undefined) {
    const root: object = { $ref: `#/components/schemas/${name}`, components: { schemas } };
    serialize = fastJson(root);
    serializers.set(name, serialize);
  }
  return serialize(value);
}
