/** The values of enums, and what may be compared with them. */
import type { EnumValues } from '../compiled-query.js';
import { EngineError, type Span } from '../errors.js';
import { didYouMean } from '../language/did-you-mean.js';
import type { Catalog } from '../schema/catalog.js';
import type { Property } from '../schema/model.js';
import { scalarText } from '../values/scalar-text.js';
import type { Bound } from './logical.js';
import { compareWithEnum } from './parameters.js';
import { isGiven } from './same-bound.js';

/** The texts of the values that a property may have; undefined if it has no enum. */
export function enumTexts(catalog: Catalog, property: Property): readonly string[] | undefined {
  const values = property.enum === undefined ? undefined : catalog.enum(property.enum)?.values;
  return values?.flatMap(({ value }) => {
    if (value === null) return [];
    // A string may have an enum of numbers, whose texts it contains.
    const text = scalarText(property.type, value) ?? scalarText(property.type, String(value));
    return text ?? [];
  });
}

/**
 * Throws `type-mismatch` for a literal that no value of the enum equals with which it is compared, and
 * records the enum for parameters. Beside other values, an enum is compared as a string, with any text.
 */
export function checkEnumValues(compared: readonly Bound[]): void {
  const column = compared.find((each) => each.kind === 'column');
  if (!column?.enumValues) return;
  const { enumName = '', enumValues: values } = column;
  const isOther = (each: Bound) =>
    each.kind === 'column' ? each.enumName !== enumName : !isGiven(each);
  if (compared.some(isOther)) return;
  for (const each of compared) {
    if (each.kind === 'parameter') compareWithEnum(each.slot, { name: enumName, values });
    if (each.kind === 'literal') requireValue({ name: enumName, values }, each.text, each.span);
  }
}

/**
 * Throws `type-mismatch` for a literal that is written to the property, and that its enum does not have.
 * What a `writeValue` makes of it is checked when it is written.
 */
export function checkWrittenLiteral(
  catalog: Catalog,
  property: Property,
  text: string,
  span: Span,
): void {
  const values = property.writeValue === undefined ? enumTexts(catalog, property) : undefined;
  if (values) requireValue({ name: property.enum ?? '', values }, text, span);
}

function requireValue({ name, values }: EnumValues, text: string, span: Span): void {
  if (values.includes(text)) return;
  const message = `'${text}' is not a value of the enum ${name}: ${listText(values)}.`;
  throw new EngineError('type-mismatch', message, { span, hint: didYouMean(text, values) });
}

const NAMED_MAX = 20;

/** `'sad', 'ok'`; a long list is cut, and says so. */
export function listText(values: readonly string[]): string {
  const named = values.slice(0, NAMED_MAX).map((each) => `'${each}'`);
  const rest = values.length - named.length;
  return named.join(', ') + (rest > 0 ? ` and ${rest} others` : '');
}
