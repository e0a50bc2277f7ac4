/** The properties of an entity as an import fills them: which may be left out, and what they then are. */
import type { Entity, Enum, Property } from '../schema/model.js';
import { keyText } from '../query/rows.js';
import { scalarText } from '../result/scalar-text.js';
import { defaultText } from './default-text.js';

/** The size of an integer column. */
export type IntegerBits = 16 | 32 | 64;

/** A property of a row to be. */
export interface RowField {
  readonly property: Property;
  /** Whether null is refused: the property is required, or a part of the primary key. */
  readonly isRequired: boolean;
  /** Whether the database makes a value when there is none. */
  readonly isGenerated: boolean;
  /** What an absent property becomes; undefined when its default cannot be told beforehand. */
  readonly absent: string | null | undefined;
  /** The canonical texts of its enum's values, if it has one. */
  readonly allowed: ReadonlySet<string> | undefined;
  /** Of integers: what the column holds, where the database tells. */
  readonly bits: IntegerBits | undefined;
}

/** What the fields of an entity are made from. */
export interface FieldSettings {
  readonly enumOf: (name: string) => Enum | undefined;
  /** The instant of the import, as ISO 8601 text in UTC. */
  readonly now: string;
  readonly bitsOf: (property: string) => IntegerBits | undefined;
}

/** The fields of an entity, in the order of its properties; those that are only read are left out. */
export function rowFields(entity: Entity, settings: FieldSettings): readonly RowField[] {
  return entity.properties
    .filter((property) => property.view !== true)
    .map((property) => rowField(entity, property, settings));
}

function rowField(entity: Entity, property: Property, settings: FieldSettings): RowField {
  const isGenerated = property.autoIncrement === true;
  const fixed = keyText(property);
  const isKey = entity.primaryKey.includes(property.name);
  return {
    property,
    isGenerated,
    isRequired: (property.required || isKey) && !isGenerated,
    absent: fixed ?? defaultText(property, settings.now),
    allowed: fixed === undefined ? allowedTexts(property, settings.enumOf) : new Set([fixed]),
    bits: property.type === 'integer' ? settings.bitsOf(property.name) : undefined,
  };
}

function allowedTexts(property: Property, enumOf: FieldSettings['enumOf']) {
  const values = property.enum === undefined ? undefined : enumOf(property.enum)?.values;
  if (values === undefined) return undefined;
  return new Set(
    values.flatMap(({ value }) => (value === null ? [] : (scalarText(property.type, value) ?? []))),
  );
}
