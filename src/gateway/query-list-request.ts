/** Reads the body of `POST /execute` if it is a list of queries. */
import type { RequestData } from '../workers/protocol.js';
import type { Scope } from './choose-view.js';
import { Refusal } from './errors.js';
import { isObject, type JsonValue, kindOf } from './http/body.js';
import { SMALL_BODY_BYTES } from './http/read-body.js';
import { exactReader, noTotal, type QueryRequest, readData, readQuery } from './query-request.js';

/** A query of a list, or why it cannot be executed. */
export type ListedQuery = QueryRequest | Refusal;

interface ElementRequest extends QueryRequest {
  readonly hasOptions: boolean;
}

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
  const limits = { expressionLengthMax, scope };
  let last: ElementRequest | undefined;
  return values.map((value, index) => {
    const exact = exactList && (() => elementOf(exactList(), index));
    try {
      last = readElement({ value, exact, dataOf }, limits, last);
      return last;
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

interface ElementLimits {
  readonly expressionLengthMax: number;
  readonly scope: Scope;
}

/** `last`: the query before it, which has the same plan if only the data differs. */
function readElement(
  { value, exact, dataOf }: Element,
  { expressionLengthMax, scope }: ElementLimits,
  last: ElementRequest | undefined,
): ElementRequest {
  if (!isObject(value)) {
    throw new Refusal('body-not-object', `The query is ${kindOf(value)}, not a JSON object.`);
  }
  const object = { value, exact, dataOf };
  const { query, options } = value;
  if (last?.hasOptions === false && options === undefined && query === last.key.expression) {
    return { key: last.key, hasOptions: false, data: ownData(readData(object)) };
  }
  const { key, data, total } = readQuery(object, expressionLengthMax, scope);
  if (total) throw noTotal('A query of a list');
  return { key, hasOptions: options !== undefined, data: ownData(data) };
}

/** The queries of a large body share its buffer, which can be transferred only once. */
function ownData(data: RequestData): RequestData {
  if (typeof data !== 'object') return data;
  if (data.byteLength > SMALL_BODY_BYTES) return data.slice();
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('utf8');
}

function elementOf(value: unknown, index: number): unknown {
  return Array.isArray(value) ? value[index] : undefined;
}
