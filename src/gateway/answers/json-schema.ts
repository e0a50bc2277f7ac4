/** The part of JSON Schema that the answers are described in; OpenAPI 3.1 shows the same objects. */

export type JsonSchema =
  | { readonly $ref: string }
  | {
      readonly type: string | readonly string[];
      readonly description?: string;
      readonly items?: JsonSchema;
      readonly properties?: Readonly<Record<string, JsonSchema>>;
      readonly required?: readonly string[];
      readonly additionalProperties?: JsonSchema;
    };

/** A reference to another schema of the answers. */
export function reference(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

export function arrayOf(items: JsonSchema): JsonSchema {
  return { type: 'array', items };
}

/** An object whose members stand in this order; those not in `optional` are always there. */
export function object(
  properties: Readonly<Record<string, JsonSchema>>,
  optional: readonly string[] = [],
): JsonSchema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, required };
}

export const text: JsonSchema = { type: 'string' };
export const integer: JsonSchema = { type: 'integer' };
export const flag: JsonSchema = { type: 'boolean' };
export const texts: JsonSchema = arrayOf(text);
export const scalar: JsonSchema = { type: ['number', 'boolean', 'string', 'null'] };
