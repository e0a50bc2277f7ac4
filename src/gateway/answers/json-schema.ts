/** The part of JSON Schema that the answers are described in. */

export type JsonSchema =
  | { readonly $ref: string }
  | {
      readonly type: string | readonly string[];
      readonly items?: JsonSchema;
      readonly properties?: Readonly<Record<string, JsonSchema>>;
      readonly additionalProperties?: JsonSchema;
    };

/** A reference to another schema of the answers. */
export function reference(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

export function arrayOf(items: JsonSchema): JsonSchema {
  return { type: 'array', items };
}

/** An object whose members stand in this order, as far as they are there. */
export function object(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: 'object', properties };
}

export const text: JsonSchema = { type: 'string' };
export const integer: JsonSchema = { type: 'integer' };
export const flag: JsonSchema = { type: 'boolean' };
export const texts: JsonSchema = arrayOf(text);
export const scalar: JsonSchema = { type: ['number', 'boolean', 'string', 'null'] };
