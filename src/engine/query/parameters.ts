/**
 * The parameters of a query while it is bound: each name is one slot, whose type narrows with every
 * use, and parameters that meet only each other share one type.
 */
import { EngineError, type Span } from '../errors.js';
import type { Parameter, ValueType } from '../compiled-query.js';
import type { PropertyType } from '../schema/model.js';
import type { Variant } from '../variant.js';
import { narrowerType, nameType } from './types.js';

/** What is known of one parameter so far. */
export interface ParameterSlot {
  readonly path: readonly string[];
  /** Its type, or that of its items. */
  type: PropertyType | undefined;
  /** Whether it stands where one value stands, or where a list does; undefined before its first use. */
  shape: 'scalar' | 'list' | undefined;
  /** The slot that this one turned out to share its type with. */
  sameAs: ParameterSlot | undefined;
  /** Whether it stands directly in `==` or `!=`. */
  nullSensitive: boolean;
  /** Whether some use takes integers and no other numbers: others than to be compared with them. */
  needsInteger: boolean;
  /** Whether its value is known to be a number that is no integer of 64 bits. */
  isOtherNumber: boolean;
  /** Whether it is compared with another parameter. */
  isCompared: boolean;
}

/** The slots of a query by dotted name, in the order of their first use. */
export type ParameterSlots = Map<string, ParameterSlot>;

/** The slots of a query, of which `known` tells what their values are. */
export function createSlots(known?: Pick<Variant, 'otherNumbers' | 'numbers'>): ParameterSlots {
  const { otherNumbers = [], numbers = [] } = known ?? {};
  const slots: ParameterSlots = new Map();
  for (const name of otherNumbers) slotOf(slots, name.split('.')).isOtherNumber = true;
  for (const name of numbers) slotOf(slots, name.split('.')).type = 'decimal';
  return slots;
}

/** The slot of that path, made at its first use. */
export function slotOf(slots: ParameterSlots, path: readonly string[]): ParameterSlot {
  const name = path.join('.');
  const known = slots.get(name);
  if (known) return known;
  const slot = {
    path,
    type: undefined,
    shape: undefined,
    sameAs: undefined,
    nullSensitive: false,
    needsInteger: false,
    isOtherNumber: false,
    isCompared: false,
  };
  slots.set(name, slot);
  return slot;
}

/** The type that the uses so far agree on. */
export function slotType(slot: ParameterSlot): PropertyType | undefined {
  return representative(slot).type;
}

/** The type of the whole parameter: a list of items where it stands for one. */
export function slotValueType(slot: ParameterSlot): ValueType {
  const type = slotType(slot) ?? 'any';
  return slot.shape === 'list' ? `[${type}]` : type;
}

/** Whether a parameter of integers may be any other number as well: it is only compared with them. */
export function takesOtherNumbers(slot: ParameterSlot): boolean {
  const { type, needsInteger } = representative(slot);
  return type === 'integer' && !needsInteger;
}

/** Notes that a parameter is compared with another one. */
export function markCompared(slot: ParameterSlot): void {
  representative(slot).isCompared = true;
}

/** The names of parameters that are compared with each other, and of which nothing tells the type. */
export function openGroups(slots: ParameterSlots): readonly (readonly string[])[] {
  const groups = new Map<ParameterSlot, string[]>();
  for (const [name, slot] of slots) {
    const head = representative(slot);
    if (!head.isCompared || (head.type ?? 'any') !== 'any') continue;
    groups.set(head, [...(groups.get(head) ?? []), name]);
  }
  return [...groups.values()].filter((names) => names.length > 1);
}

/** Slots as the parameters that they have become. */
export function parametersOfSlots(slots: Iterable<ParameterSlot>): Parameter[] {
  return [...slots].map((slot) => ({ name: slot.path.join('.'), type: slotValueType(slot) }));
}

/** Notes that `slot` stands for one value, or for a list; throws `type-mismatch` for both. */
export function shapeSlot(slot: ParameterSlot, shape: 'scalar' | 'list', span: Span): void {
  if (slot.shape !== undefined && slot.shape !== shape) {
    const message = `Parameter '${slot.path.join('.')}' is used as a list and as a single value.`;
    throw new EngineError('type-mismatch', message, { span });
  }
  slot.shape = shape;
}

/** Whether a parameter must be of a type, or only meets values of it. */
export type SlotUse = 'taken' | 'met';

/** Notes that `slot` is used as `type`; throws `type-mismatch` when an earlier use disagrees. */
export function narrowSlot(
  slot: ParameterSlot,
  type: PropertyType,
  span: Span,
  use: SlotUse = 'taken',
): void {
  const head = representative(slot);
  const narrowed = head.type === undefined ? type : narrowerType(head.type, type);
  if (narrowed === undefined) throw disagreement(slot, head.type ?? 'any', type, span);
  if (type === 'integer' && use === 'taken') head.needsInteger = true;
  const isMet = narrowed === 'integer' && !head.needsInteger;
  head.type = isMet && head.isOtherNumber ? 'decimal' : narrowed;
}

/** Notes that two parameters meet each other: they have one type from now on. */
export function joinSlots(left: ParameterSlot, right: ParameterSlot, span: Span): void {
  const head = representative(left);
  const other = representative(right);
  if (head === other) return;
  head.isOtherNumber ||= other.isOtherNumber;
  head.isCompared ||= other.isCompared;
  const type = other.type ?? head.type;
  if (type !== undefined) narrowSlot(left, type, span, other.needsInteger ? 'taken' : 'met');
  other.sameAs = head;
}

function representative(slot: ParameterSlot): ParameterSlot {
  let head = slot;
  while (head.sameAs) head = head.sameAs;
  return head;
}

function disagreement(slot: ParameterSlot, first: PropertyType, second: PropertyType, span: Span) {
  const name = slot.path.join('.');
  const message = `Parameter '${name}' is used as ${nameType(first)} and as ${nameType(second)}.`;
  return new EngineError('type-mismatch', message, { span });
}
