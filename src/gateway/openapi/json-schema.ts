/** Small parts of JSON Schemas (draft 2020-12, as OpenAPI 3.1 uses them). */

export type Schema = Readonly<Record<string, unknown>>;

export const text: Schema = { type: 'string' };
export const flag: Schema = { type: 'boolean' };

/** An object with any members. Generators take an object without this member for one that must be empty. */
export const anyObject: Schema = { type: 'object', additionalProperties: true };

/**
 * An object with these members. The first `required` ones are always present; by default, all are.
 */
export function object(properties: Readonly<Record<string, Schema>>, required?: number): Schema {
  const names = Object.keys(properties).slice(0, required);
  return { type: 'object', properties, ...(names.length > 0 && { required: names }) };
}

export function list(items: Schema): Schema {
  return { type: 'array', items };
}

export function reference(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

export function nullable(schema: Schema): Schema {
  const { type } = schema;
  if (typeof type === 'string') return { ...schema, type: [type, 'null'] };
  return Object.keys(schema).length === 0 ? schema : { oneOf: [schema, { type: 'null' }] };
}

/** A name for a component, in which characters that are not allowed are replaced by their codes. */
export function named(name: string): string {
  return name.replaceAll(
    /[^A-Za-z0-9._-]/gu,
    (character) => `_${character.codePointAt(0)?.toString(16) ?? ''}_`,
  );
}
