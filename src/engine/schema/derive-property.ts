/** Completes a property with defaults, and checks its declaration. */
import { isArray, itemOf } from './array-types.js';
import type { DeclaredProperty } from './declared.js';
import { present } from './decode-value.js';
import { childNode, orReport, report } from './document.js';
import { memberValue } from './enum-members.js';
import { checkName } from './hint.js';
import type { Enum, Property, PropertyType } from './model.js';

const defaultLength = 80;

interface PropertyContext {
  readonly enums: ReadonlyMap<string, Enum>;
  /** Whether it is required if it does not say so itself. */
  readonly isRequired: boolean;
}

/** The completed property; only strings have a length. */
export function deriveProperty(
  declared: DeclaredProperty,
  { enums, isRequired }: PropertyContext,
): Property {
  const { members } = declared;
  const { type = 'string', required = isRequired, length, autoIncrement, ...rest } = members;
  const property: Property = {
    name: declared.name,
    type,
    required,
    ...present({
      length: type === 'string' ? limitOf(length ?? defaultLength) : undefined,
      isUsualLength: type === 'string' && length === undefined ? true : undefined,
      autoIncrement: autoIncrement === true ? true : undefined,
    }),
    ...rest,
    ...memberDefault(declared, enums),
  };
  checkEnum(declared, property, enums);
  checkDigits(declared, property);
  checkAutoIncrement(declared, property);
  checkDefault(declared, property);
  return property;
}

/** The default as the value of an enum's member, such as `Role.admin`. */
function memberDefault(
  { node, members }: DeclaredProperty,
  enums: ReadonlyMap<string, Enum>,
): Pick<Property, 'default'> {
  const { default: text } = members;
  const [, of = '', name = ''] = /^([\w$]+)\.([\w$]+)$/.exec(String(text)) ?? [];
  const found = enums.get(of);
  if (typeof text !== 'string' || !found) return {};
  const value = orReport(childNode(node, 'default'), () => memberValue(found, name));
  if (value === undefined) return {};
  // A quoted text is not an expression.
  const isText = typeof value === 'string' && /["'`(]/.test(value);
  return { default: isText ? JSON.stringify(value) : value };
}

/** The length of a property: a length without a limit becomes undefined. */
export function limitOf(length: number): number | undefined {
  return length === Infinity ? undefined : length;
}

function checkEnum(
  { node }: DeclaredProperty,
  property: Property,
  enums: ReadonlyMap<string, Enum>,
): void {
  const name = property.enum;
  if (name !== undefined) checkName(childNode(node, 'enum'), { what: 'enum', name, known: enums });
}

function checkDigits({ node }: DeclaredProperty, { name, type, digits }: Property): void {
  if (!digits) return;
  const { precision, scale } = digits;
  if ((isArray(type) ? itemOf(type) : type) !== 'decimal') {
    const detail = `'${name}' is of type ${type}; only a decimal has a precision.`;
    report(childNode(node, 'precision'), detail);
  } else if (scale > precision) {
    report(childNode(node, 'scale'), `The scale ${scale} exceeds the precision ${precision}.`);
  }
}

function checkAutoIncrement({ node }: DeclaredProperty, property: Property): void {
  if (!property.autoIncrement || property.type === 'integer' || property.type === 'any') return;
  const detail = `'${property.name}' is of type ${property.type}; only an integer can be generated.`;
  report(childNode(node, 'autoIncrement'), detail);
}

// A text may be an expression, which can have any type.
const literalTypes: Partial<Record<PropertyType, readonly string[]>> = {
  integer: ['number'],
  decimal: ['number'],
  number: ['number'],
  boolean: ['boolean'],
  string: ['number', 'boolean'],
  any: ['number', 'boolean'],
};

function checkDefault({ node }: DeclaredProperty, property: Property): void {
  const value = property.default;
  if (value === undefined || value === null || typeof value === 'string') return;
  if (literalTypes[property.type]?.includes(typeof value)) return;
  const detail = `${JSON.stringify(value)} is not a valid default for type ${property.type}.`;
  report(childNode(node, 'default'), detail);
}

/** Whether a property has a column: one that is read-only and computed from others has none. */
export function hasColumn({ view, readExp, readValue }: Property): boolean {
  return view !== true || (readExp === undefined && readValue === undefined);
}
