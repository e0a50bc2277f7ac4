/**
 * References in the data of a transaction's step to the results of earlier steps: `{"$ref":
 * "0.details[1].productId"}` is replaced by that value.
 */
import { EngineError } from '../errors.js';
import { DATA_DEPTH_MAX } from '../values/data-json.js';
import {
  type DataObject,
  type DataValue,
  isDataList,
  isDataObject,
  nameDataValue,
} from '../values/data-value.js';

const MEMBER = '$ref';
/**
 * The maximum number of values that references may add to a transaction, so that small data cannot
 * become huge.
 */
const VALUES_MAX = 1_000_000;

/** The results of earlier steps, and how many more values may be taken from them. */
export class EarlierAnswers {
  readonly #answers: (() => DataValue)[] = [];
  #left = VALUES_MAX;

  get length(): number {
    return this.#answers.length;
  }

  /** Adds the result of the next step, which is computed when a reference first needs it. */
  add(make: () => DataValue): void {
    let made: { readonly value: DataValue } | undefined;
    this.#answers.push(() => (made ??= { value: make() }).value);
  }

  answer(step: number): DataValue | undefined {
    return this.#answers[step]?.();
  }

  /** Counts a value that is taken, with everything in it. Throws `reference-invalid`. */
  take(value: DataValue, place: string): void {
    this.#left -= 1;
    if (this.#left < 0) {
      const message = 'The references of the transaction add too many values to its data.';
      throw new EngineError('reference-invalid', message, { place });
    }
    for (const item of itemsOf(value)) this.take(item, place);
  }
}

/**
 * Whether the data contains a reference. Those that nest too deeply for a parameter do not count, because it is
 * refused.
 */
export function hasReferences(data: DataValue | undefined, depth = 0): boolean {
  if (data === undefined || depth > DATA_DEPTH_MAX) return false;
  if (isDataObject(data) && isReference(data)) return true;
  return itemsOf(data).some((item) => hasReferences(item, depth + 1));
}

/** The data with its references replaced by their values. Throws `reference-invalid`. */
export function resolveReferences(
  data: DataValue,
  earlier: EarlierAnswers,
  place = 'data',
  depth = 0,
): DataValue {
  if (depth > DATA_DEPTH_MAX) return data;
  const resolve = (item: DataValue, at: string) =>
    resolveReferences(item, earlier, place + at, depth + 1);
  if (isDataList(data)) return data.map((item, index) => resolve(item, `[${index}]`));
  if (!isDataObject(data)) return data;
  if (isReference(data)) return valueOf(data[MEMBER], earlier, place);
  const resolved = Object.entries(data).map(
    ([name, value]) => [name, resolve(value, `.${name}`)] as const,
  );
  return Object.fromEntries<DataValue>(resolved);
}

function itemsOf(value: DataValue): readonly DataValue[] {
  if (isDataObject(value)) return Object.values(value);
  return isDataList(value) ? value : [];
}

/** Whether an object is a reference. An object with further members is ordinary data. */
function isReference(data: DataObject): boolean {
  return Object.hasOwn(data, MEMBER) && Object.keys(data).length === 1;
}

function valueOf(text: DataValue | undefined, earlier: EarlierAnswers, place: string): DataValue {
  const refuse = (message: string): EngineError =>
    new EngineError('reference-invalid', message, { place });
  if (typeof text !== 'string') {
    throw refuse(`A reference must be a string such as "0.id", not ${nameDataValue(text)}.`);
  }
  const [first = '', ...path] = stepsOf(text);
  const step = /^\d{1,9}$/.test(first) ? Number(first) : undefined;
  if (step === undefined) {
    throw refuse(`The reference '${text}' does not begin with the number of a step.`);
  }
  if (step >= earlier.length) {
    throw refuse(
      `The reference '${text}' refers to step ${step}, which does not come before this one.`,
    );
  }
  let value = earlier.answer(step);
  let reached = `step ${step}`;
  for (const name of path) {
    const inner = memberOf(value, name);
    if (inner === undefined) {
      throw refuse(
        `The reference '${text}' cannot be resolved: ${reached} ${described(value, name)}.`,
      );
    }
    value = inner;
    reached += /^\d+$/.test(name) ? `[${name}]` : `.${name}`;
  }
  const found = value ?? null;
  earlier.take(found, place);
  return found;
}

/** The steps of a path; `0.details[1].id` and `0.details.1.id` are the same. */
function stepsOf(text: string): string[] {
  return text.replaceAll(/\[(\d+)\]/g, '.$1').split('.');
}

function memberOf(value: DataValue | undefined, name: string): DataValue | undefined {
  if (isDataList(value)) return /^\d{1,9}$/.test(name) ? value[Number(name)] : undefined;
  return isDataObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function described(value: DataValue | undefined, name: string): string {
  if (Array.isArray(value)) return `is a list of ${value.length} without '${name}'`;
  if (isDataObject(value)) return `has no '${name}'`;
  return `is ${nameDataValue(value)}`;
}
