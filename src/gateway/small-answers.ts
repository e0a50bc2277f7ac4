/**
 * The serializers of problems and other small answers. fast-json-stringify compiles them when the program is
 * built (`scripts/bundle-program.mjs`). The serializer's schema determines the order of the members.
 */
import fastJson from 'fast-json-stringify';

const text = { type: 'string' };
const integer = { type: 'integer' };

const importCount = object({ entity: text, rows: integer });
const place = object({ ln: integer, col: integer });
const fault = object({ message: text, place: text });

/** The JSON Schemas of the small answers. */
export const answerSchemas = {
  Ping: object({ message: text, time: text }),
  Health: object({ uptime: { type: 'number' }, message: text, time: text }),
  Version: object({ version: text }),
  Exists: object({ exists: { type: 'boolean' } }),
  Live: object({ status: text }),
  Ready: object({ status: text, sources: { type: 'array', items: text } }),
  Imported: object({
    imported: { type: 'array', items: importCount },
    ignored: { type: 'object', additionalProperties: integer },
  }),
  Problem: object({
    type: text,
    title: text,
    status: integer,
    detail: text,
    code: text,
    requestId: text,
    position: place,
    hint: text,
    place: text,
    sqlstate: text,
    errors: { type: 'array', items: fault },
    step: integer,
  }),
} as const;

export type AnswerName = keyof typeof answerSchemas;

const serializers = new Map<AnswerName, (value: unknown) => string>();

/** The answer as compact JSON, with its members in the order of its schema. */
export function stringifyAnswer(name: AnswerName, value: unknown): string {
  let serialize = serializers.get(name);
  if (serialize === undefined) {
    const schema: object = answerSchemas[name];
    serialize = fastJson(schema);
    serializers.set(name, serialize);
  }
  return serialize(value);
}

/** The value as JSON for people. */
export function indented(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

/** The schema of an object whose members appear in this order, if present. */
function object<Properties extends Readonly<Record<string, object>>>(properties: Properties) {
  return { type: 'object', properties } as const;
}
