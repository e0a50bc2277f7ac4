/**
 * The parameters of a query while it is bound. Each name has one slot, whose type narrows with every
 * use; parameters that are only compared with each other share one type.
 */
import type { Span } from '../errors.js';
import type { EnumValues, Parameter, ValueType } from '../compiled-query.js';
import type { PropertyType } from '../schema/model.js';
import type { Variant } from '../variant.js';
import { mismatch, narrowerType, nameType } from './types.js';

/** What is known about a parameter so far. */
export interface ParameterSlot {
  readonly path: readonly string[];
  /** Its type, or that of its items. */
  type?: PropertyType | undefined;
  /** Whether the parameter is used as a single value or as a list; undefined before its first use. */
  shape?: 'scalar' | 'list';
  /** The slot with which this one turned out to share its type. */
  sameAs?: ParameterSlot;
  /** Whether the parameter is a direct operand of `==` or `!=`. */
  nullSensitive?: boolean;
  /** Whether some use requires an integer. A comparison with integers does not: it takes any number. */
  needsInteger?: boolean;
  /** Whether the value is known to be a number, but not an integer of 64 bits. */
  isOtherNumber?: boolean | undefined;
  /** Whether the parameter is compared with another one. */
  isCompared?: boolean | undefined;
  /** Whether rows, or values of rows, are ordered by a choice among this parameter and others. */
  isOrdered?: boolean | undefined;
  /** Whether a function converts the value, with a result that depends on its type. */
  isConverted?: boolean | undefined;
  /** The enums with whose columns the parameter is compared. */
  enums: readonly EnumValues[];
  /** Whether the parameter is compared with a property of type `any`, whose values are texts. */
  isText?: boolean | undefined;
  /** Whether the parameter is compared with a part of JSON. */
  isOfJson?: boolean;
}

/** The slots of a query by dotted name, in the order of their first use. */
export type ParameterSlots = Map<string, ParameterSlot>;

/** The slots of a query; `known` contains what is known about the values. */
export function createSlots(
  known?: Pick<Variant, 'otherNumbers' | 'numbers' | 'booleans' | 'strings'>,
): ParameterSlots {
  const { otherNumbers = [], numbers = [], booleans = [], strings = [] } = known ?? {};
  const slots: ParameterSlots = new Map();
  for (const name of otherNumbers) slotOf(slots, name.split('.')).isOtherNumber = true;
  for (const name of numbers) slotOf(slots, name.split('.')).type = 'decimal';
  for (const name of booleans) slotOf(slots, name.split('.')).type = 'boolean';
  for (const name of strings) slotOf(slots, name.split('.')).type = 'string';
  return slots;
}

/** The slot of a path, created at its first use. */
export function slotOf(slots: ParameterSlots, path: readonly string[]): ParameterSlot {
  const name = path.join('.');
  const known = slots.get(name);
  if (known) return known;
  const slot = { path, enums: [] };
  slots.set(name, slot);
  return slot;
}

/** The type that all uses so far agree on. */
export function slotType(slot: ParameterSlot): PropertyType | undefined {
  return representative(slot).type;
}

/** The type of the parameter as a whole: a list type if it is used as a list. */
export function slotValueType(slot: ParameterSlot): ValueType {
  const type = slotType(slot) ?? 'any';
  return slot.shape === 'list' ? `[${type}]` : type;
}

/**
 * Whether any number is accepted although the type is integer, because it is only compared with
 * integers.
 */
export function takesOtherNumbers(slot: ParameterSlot): boolean {
  const { type, needsInteger } = representative(slot);
  return type === 'integer' && !needsInteger;
}

/** Records that a parameter is compared with a column of an enum. */
export function compareWithEnum(slot: ParameterSlot, compared: EnumValues): void {
  if (slot.enums.some(({ name }) => name === compared.name)) return;
  slot.enums = [...slot.enums, compared];
}

/** Records how a parameter is used; see {@link ParameterSlot}. */
export function markSlot(
  slot: ParameterSlot,
  mark: 'isCompared' | 'isOrdered' | 'isConverted',
): void {
  representative(slot)[mark] = true;
}

/**
 * Groups of names of parameters whose type no use determines, and that share it: those that are converted, those that
 * are only compared with each other, and those by which rows are ordered.
 */
export function openGroups(slots: ParameterSlots) {
  const groups = new Map<ParameterSlot, string[]>();
  for (const [name, slot] of slots) {
    const head = representative(slot);
    if ((head.type ?? 'any') !== 'any' || head.isText) continue;
    groups.set(head, [...(groups.get(head) ?? []), name]);
  }
  const all = [...groups];
  const converted = all.filter(([{ isConverted }]) => isConverted);
  const compared = all.filter(
    ([{ isCompared, isConverted }, names]) => isCompared && !isConverted && names.length > 1,
  );
  const ordered = all.filter(([{ isOrdered }, names]) => isOrdered && names.length > 1);
  const namesOf = ([, names]: readonly [ParameterSlot, readonly string[]]) => names;
  return {
    ...(compared.length > 0 && { openComparisons: compared.map(namesOf) }),
    ...(ordered.length > 0 && { openOrders: ordered.map(namesOf) }),
    ...(converted.length > 0 && { openConversions: converted.map(namesOf) }),
  };
}

export function parametersOfSlots(slots: Iterable<ParameterSlot>): Parameter[] {
  return [...slots].map((slot) => {
    const { path, enums, isOfJson } = slot;
    return {
      name: path.join('.'),
      type: slotValueType(slot),
      ...(enums.length > 0 && { enums }),
      ...(isOfJson && { isOfJson }),
      ...(representative(slot).isCompared && { isCompared: true }),
    };
  });
}

/**
 * Records whether a parameter is used as a single value or as a list. Throws `type-mismatch` if both.
 */
export function shapeSlot(slot: ParameterSlot, shape: 'scalar' | 'list', span: Span): void {
  if (slot.shape !== undefined && slot.shape !== shape) {
    const name = slot.path.join('.');
    throw mismatch(`Parameter '${name}' is used as a list and as a single value.`, span);
  }
  slot.shape = shape;
}

/**
 * How a parameter is used: `taken` requires a type, `met` only compares or combines with values of it, and `text` with
 * those of a property of type `any`.
 */
export type SlotUse = 'taken' | 'met' | 'text';

/** Records that a parameter is used as `type`. Throws `type-mismatch` if an earlier use disagrees. */
export function narrowSlot(
  slot: ParameterSlot,
  type: PropertyType,
  span: Span,
  use: SlotUse = 'taken',
): void {
  const head = representative(slot);
  const narrowed = head.type === undefined ? type : narrowerType(head.type, type);
  const isText = head.isText || use === 'text';
  if (!narrowed || (isText && !narrowerType('string', narrowed))) {
    const before = head.isText ? 'string' : (head.type ?? 'any');
    throw disagreement(slot, before, use === 'text' ? 'string' : type, span);
  }
  head.isText = isText;
  if (type === 'integer' && use === 'taken') head.needsInteger = true;
  const isMet = narrowed === 'integer' && !head.needsInteger;
  head.type = isMet && head.isOtherNumber ? 'decimal' : narrowed;
}

/** Records that two parameters are compared or combined, so that they share one type. */
export function joinSlots(left: ParameterSlot, right: ParameterSlot, span: Span): void {
  const head = representative(left);
  const other = representative(right);
  if (head === other) return;
  head.isOtherNumber ||= other.isOtherNumber;
  head.isCompared ||= other.isCompared;
  head.isOrdered ||= other.isOrdered;
  head.isConverted ||= other.isConverted;
  const type = other.type ?? head.type;
  const use = other.needsInteger ? 'taken' : 'met';
  if (type !== undefined) narrowSlot(left, type, span, other.isText ? 'text' : use);
  other.sameAs = head;
}

function representative(slot: ParameterSlot): ParameterSlot {
  let head = slot;
  while (head.sameAs) head = head.sameAs;
  return head;
}

function disagreement(slot: ParameterSlot, first: PropertyType, second: PropertyType, span: Span) {
  const name = slot.path.join('.');
  const uses = `as ${nameType(first)} and as ${nameType(second)}`;
  return mismatch(`Parameter '${name}' is used ${uses}.`, span);
}
