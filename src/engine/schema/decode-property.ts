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
import type { Digits, PropertyType } from './model.js';

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
    ...readMember(node, 'type', readType),
    ...present({ digits: readDigits(node), view: readReadOnly(node) }),
    ...readOtherNames(node),
    ...readMembers(node, propertyReaders),
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

/** The names of 64-bit integers in the schema file; everywhere else, they are integers. */
const longTypes = new Map<string, PropertyType>([
  ['bigint', 'integer'],
  ['bigint[]', 'integer[]'],
]);
const typeNames = [...propertyTypes, ...longTypes.keys()];

/** An unknown type is reported once; after that it fits everywhere. */
function readType(node: DocumentNode): Pick<PropertyMembers, 'type' | 'isLong'> | undefined {
  if (isAbsent(node)) return undefined;
  const name = readChoice(node, typeNames);
  const type = longTypes.get(name ?? '') ?? propertyTypes.find((each) => each === name) ?? 'any';
  return present({ type, isLong: longTypes.has(name ?? '') ? (true as const) : undefined });
}

function checkPropertyName(node: DocumentNode, name: string): void {
  if (!name.includes('.')) return checkIdentifier(node, name);
  const detail = `'${name}' is not a valid name of a property: it contains a dot.`;
  report(childNode(node, 'name'), detail);
}
