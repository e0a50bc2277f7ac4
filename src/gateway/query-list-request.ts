/** Reads the body of `POST /execute` if it is a list of queries. */
import type { RequestData } from '../workers/protocol.js';
import type { Scope } from './choose-view.js';
import { Refusal } from './errors.js';
import type { JsonValue } from './http/body.js';
import { isObject, kindOf } from './json-value.js';
import { SMALL_BODY_BYTES } from './http/read-body.js';
import {
  type BodyRules,
  exactReader,
  memberOf,
  noTotal,
  type QueryObject,
  type QueryRequest,
  readData,
  readQuery,
} from './query-request.js';

/** A query of a list, or why it cannot be executed. */
export type ListedQuery = QueryRequest | Refusal;

interface ElementRequest extends QueryRequest {
  /** Whether the next query has the same plan if its expression is the same, and has no options. */
  readonly isPlain: boolean;
}

/** Reads each query of a list by itself. Throws a `Refusal` if there are too many. */
export function readQueryList(
  { text, dataOf }: JsonValue,
  values: readonly unknown[],
  rules: BodyRules,
  scope: Scope,
): readonly ListedQuery[] {
  const { executeQueriesMax } = rules;
  if (values.length > executeQueriesMax) {
    const detail = `The body has ${values.length} queries, but a request can have at most ${executeQueriesMax}.`;
    throw new Refusal('too-many-queries', detail);
  }
  const exactList = exactReader(text);
  let last: ElementRequest | undefined;
  return values.map((value, index) => {
    const exact = exactList && (() => memberOf(exactList(), index));
    try {
      if (!isObject(value)) {
        throw new Refusal('body-not-object', `The query is ${kindOf(value)}, not a JSON object.`);
      }
      last = readElement({ value, exact, dataOf }, { rules, scope, last });
      return last;
    } catch (error) {
      if (error instanceof Refusal) return error;
      throw error;
    }
  });
}

interface ElementContext {
  readonly rules: BodyRules;
  readonly scope: Scope;
  /** The previous query, which has the same plan if only the data differs. */
  readonly last: ElementRequest | undefined;
}

function readElement(object: QueryObject, { rules, scope, last }: ElementContext): ElementRequest {
  const { query, options } = object.value;
  const isPlain = options === undefined && !rules.strictData;
  if (isPlain && last?.isPlain && query === last.key.expression) {
    return { key: last.key, isPlain, data: ownData(readData(object)) };
  }
  const { key, data, total } = readQuery(object, rules, scope);
  if (total) throw noTotal('A query of a list');
  return { key, isPlain, data: ownData(data) };
}

/** The queries of a large body share its buffer, which can be transferred only once. */
function ownData(data: RequestData): RequestData {
  if (typeof data !== 'object') return data;
  if (data.byteLength > SMALL_BODY_BYTES) return data.slice();
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('utf8');
}
