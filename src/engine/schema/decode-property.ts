/** Decodes the declarations of an entity's properties. */
import { checkIdentifier, decodeNamed } from './decode-named.js';
import {
  present,
  readChoice,
  readCount,
  readFlag,
  readScalar,
  readText,
  readMember,
  readMembers,
  readReadOnly,
} from './decode-value.js';
import type { DeclaredProperty, PropertyMembers } from './declared.js';
import { type DocumentNode, childNode, isAbsent, report } from './document.js';
import { propertyTypes } from './array-types.js';
import type { Digits } from './model.js';

export function decodeProperties(list: DocumentNode): readonly DeclaredProperty[] {
  return decodeNamed(list, 'property', (node, name) => {
    checkPropertyName(node, name);
    return {
      name,
      node,
      members: decodePropertyMembers(node),
      ...readMembers(node, { primaryKey: readFlag }),
    };
  });
}

/** The members of a property except its name. */
export function decodePropertyMembers(node: DocumentNode): PropertyMembers {
  return {
    ...present({ digits: readDigits(node), view: readReadOnly(node) }),
    ...readOtherNames(node),
    ...readMembers(node, propertyReaders),
    // After the length, which a `text` does not have.
    ...readMember(node, 'type', readType),
  };
}

const propertyReaders = {
  description: readText,
  required: readFlag,
  length: readLength,
  autoIncrement: readFlag,
  default: readScalar,
  databaseDefault: readFlag,
  enum: readText,
  key: readText,
  readExp: readText,
  readValue: readText,
  writeValue: readText,
  writeExp: readText,
};

/** Members by the names that files of lambdaorm also use: `nullable: false` and `autoincrement`. */
function readOtherNames(node: DocumentNode): PropertyMembers {
  const nullable = readMember(node, 'nullable', readFlag);
  const required = nullable === undefined ? undefined : !nullable;
  return present({ required, autoIncrement: readMember(node, 'autoincrement', readFlag) });
}

/** A number of characters; `max` means no limit, {@link Infinity}. */
function readLength(node: DocumentNode): number | undefined {
  return node.value === 'max' ? Infinity : readCount(node);
}

/** The digits of a decimal; without a scale, none of them are after the point. */
function readDigits(node: DocumentNode): Digits | undefined {
  const precision = readMember(node, 'precision', readCount);
  const scale = readMember(node, 'scale', (child) => readCount(child, 0));
  if (precision !== undefined) return { precision, scale: scale ?? 0 };
  if (scale !== undefined) report(childNode(node, 'scale'), 'A scale needs a precision.');
  return undefined;
}

type TypeMembers = Pick<PropertyMembers, 'type' | 'isLong' | 'length'>;

/**
 * Types that exist only in the schema file: 64-bit integers, and the types that lambdaorm's commands
 * write for tables. lambdaorm gives a `text` the length of its column in bytes, which limits nothing.
 */
const otherTypes: Readonly<Record<string, TypeMembers>> = {
  bigint: { type: 'integer', isLong: true },
  'bigint[]': { type: 'integer[]', isLong: true },
  text: { type: 'string', length: Infinity },
  timestamp: { type: 'dateTime' },
  buffer: { type: 'binary' },
};
const typeNames = [...propertyTypes, ...Object.keys(otherTypes)];

/** An unknown type is reported once; after that it fits everywhere. */
function readType(node: DocumentNode): TypeMembers | undefined {
  if (isAbsent(node)) return undefined;
  const name = readChoice(node, typeNames) ?? 'any';
  return otherTypes[name] ?? { type: propertyTypes.find((each) => each === name) ?? 'any' };
}

function checkPropertyName(node: DocumentNode, name: string): void {
  if (!name.includes('.')) return checkIdentifier(node, name);
  const detail = `'${name}' is not a valid name of a property: it contains a dot.`;
  report(childNode(node, 'name'), detail);
}
