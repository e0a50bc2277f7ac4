/** Reads the body of `POST /execute` if it is a list of queries. */
import type { Scope } from './choose-view.js';
import { Refusal } from './errors.js';
import { isObject, type JsonValue, kindOf } from './http/body.js';
import { SMALL_BODY_BYTES } from './http/read-body.js';
import type { PlanKey } from './plan-cache.js';
import { exactReader, noTotal, type QueryRequest, readQuery } from './query-request.js';

/** A query of a list, or why it cannot be executed. */
export type ListedQuery = QueryRequest | Refusal;

/** Limits of the request. */
export interface ListLimits {
  readonly queriesMax: number;
  readonly expressionLengthMax: number;
}

/** Reads each query of a list by itself. Throws a `Refusal` if there are too many. */
export function readQueryList(
  { text, dataOf }: JsonValue,
  values: readonly unknown[],
  { queriesMax, expressionLengthMax }: ListLimits,
  scope: Scope,
): readonly ListedQuery[] {
  if (values.length > queriesMax) {
    const detail = `The body has ${values.length} queries, but a request can have at most ${queriesMax}.`;
    throw new Refusal('too-many-queries', detail);
  }
  const exactList = exactReader(text);
  let last: PlanKey | undefined;
  return values.map((value, index) => {
    const known = exactList || dataOf ? undefined : sameAgain(value, last);
    if (known) return known;
    try {
      const exact = exactList && (() => elementOf(exactList(), index));
      const request = readElement({ value, exact, dataOf }, expressionLengthMax, scope);
      last = isPlain(value) ? request.key : undefined;
      return request;
    } catch (error) {
      if (error instanceof Refusal) return error;
      throw error;
    }
  });
}

interface Element {
  readonly value: unknown;
  readonly dataOf: JsonValue['dataOf'];
  readonly exact: (() => unknown) | undefined;
}

function readElement(
  { value, exact, dataOf }: Element,
  expressionLengthMax: number,
  scope: Scope,
): QueryRequest {
  if (!isObject(value)) {
    throw new Refusal('body-not-object', `The query is ${kindOf(value)}, not a JSON object.`);
  }
  const { data, ...request } = readQuery({ value, exact, dataOf }, expressionLengthMax, scope);
  if (request.total) throw noTotal('A query of a list');
  return { ...request, data: typeof data === 'object' ? ownData(data) : data };
}

/** The queries of a large body share its buffer, which can be transferred only once. */
function ownData(data: Uint8Array): string | Uint8Array {
  if (data.byteLength > SMALL_BODY_BYTES) return data.slice();
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('utf8');
}

/** Whether it has no options that choose the plan. */
function isPlain(value: unknown): boolean {
  return isObject(value) && value['options'] === undefined;
}

/** The request, if it repeats the query of the one before with other data. A hot path (bench, "listed"). */
function sameAgain(value: unknown, key: PlanKey | undefined): QueryRequest | undefined {
  if (key === undefined || !isPlain(value) || !isObject(value)) return undefined;
  const { query, data } = value;
  if (query !== key.expression) return undefined;
  if (data === undefined || (typeof data === 'string' && data !== '')) return { key, data };
  return isObject(data) ? { key, data: JSON.stringify(data) } : undefined;
}

function elementOf(value: unknown, index: number): unknown {
  return Array.isArray(value) ? value[index] : undefined;
}
