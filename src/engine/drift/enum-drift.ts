/** Compares the values of an enum with those of an enumerated type. */
import type { ExistingColumn } from '../ddl/existing.js';
import type { Enum, Property } from '../schema/model.js';

/** Why a property does not fit its column: values of its enum are refused there. */
export function refusedValues(
  property: Property,
  column: ExistingColumn,
  enums: readonly Enum[],
): readonly string[] {
  const { given, stored } = valuesOf(property, column, enums);
  const refused = given.filter((value) => !stored.includes(value));
  return refused.length === 0 ? [] : [`The column has no value ${refused.join(', ')}.`];
}

/** What the enum of a property lacks. Rows may have such values, but no request can name them. */
export function unlistedValues(
  property: Property,
  column: ExistingColumn,
  enums: readonly Enum[],
): readonly string[] {
  const { given, stored } = valuesOf(property, column, enums);
  const unlisted = stored.filter((value) => !given.includes(value));
  if (unlisted.length === 0) return [];
  return [`The enum ${property.enum} does not have ${unlisted.join(', ')} of the column.`];
}

function valuesOf({ enum: name }: Property, column: ExistingColumn, enums: readonly Enum[]) {
  const values = enums.find((each) => each.name === name)?.values;
  const stored = column.enum?.values;
  if (!values || !stored) return { given: [], stored: [] };
  return { given: values.map(({ value }) => String(value)), stored };
}
