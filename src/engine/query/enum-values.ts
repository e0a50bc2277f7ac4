/** The values of enums, and the check of literals that are compared with them. */
import { EngineError } from '../errors.js';
import { didYouMean } from '../language/did-you-mean.js';
import type { Catalog } from '../schema/catalog.js';
import type { Property } from '../schema/model.js';
import { scalarText } from '../values/scalar-text.js';
import type { Bound, BoundColumn } from './logical.js';

/** The texts of the values that a property may have; undefined if it has no enum. */
export function enumTexts(catalog: Catalog, property: Property): readonly string[] | undefined {
  const values = property.enum === undefined ? undefined : catalog.enum(property.enum)?.values;
  return values?.flatMap(({ value }) =>
    value === null ? [] : (scalarText(property.type, value) ?? []),
  );
}

/** The column with the values of its enum, if it has one. */
export function withEnum(catalog: Catalog, property: Property, column: BoundColumn): BoundColumn {
  const values = column.enumName === undefined ? undefined : enumTexts(catalog, property);
  return values ? { ...column, enumValues: values } : column;
}

/**
 * Throws `type-mismatch` for a literal that no value of the enum equals with which it is compared. Beside
 * other values, an enum is compared as a string, with any literal.
 */
export function checkEnumLiterals(compared: readonly Bound[]): void {
  const column = compared.find((each) => each.kind === 'column');
  if (!column?.enumValues) return;
  const { enumName = '', enumValues: values } = column;
  const isOther = (each: Bound) =>
    each.kind === 'column' ? each.enumName !== enumName : !isConstant(each);
  if (compared.some(isOther)) return;
  for (const each of compared) {
    if (each.kind !== 'literal' || values.includes(each.text)) continue;
    const message = `'${each.text}' is not a value of the enum ${enumName}: ${listText(values)}.`;
    const hint = didYouMean(each.text, values);
    throw new EngineError('type-mismatch', message, { span: each.span, hint });
  }
}

function isConstant({ kind }: Bound): boolean {
  return kind === 'literal' || kind === 'parameter' || kind === 'null';
}

const NAMED_MAX = 20;

/** `'sad', 'ok'`; a long list is cut, and says so. */
function listText(values: readonly string[]): string {
  const named = values.slice(0, NAMED_MAX).map((each) => `'${each}'`);
  const rest = values.length - named.length;
  return named.join(', ') + (rest > 0 ? ` and ${rest} others` : '');
}
