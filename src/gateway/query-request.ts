/** Reads the body of a query endpoint: the expression, its data, and under which stage and view. */
import { parse as parseLossless, stringify as stringifyLossless } from 'lossless-json';
import { type Catalog, didYouMean } from '../engine/index.js';
import { chooseView } from './choose-view.js';
import { Refusal } from './errors.js';
import { isObject, type JsonBody, kindOf } from './http/body.js';
import type { RequestData } from '../workers/protocol.js';
import { type PlanKey, planKeyOf } from './plan-cache.js';

/** What a query endpoint is asked. */
export interface QueryRequest {
  readonly key: PlanKey;
  readonly data: RequestData;
}

/** The request of a body. Throws a `Refusal`. */
export function readQueryRequest(
  { text, value, dataOf }: JsonBody,
  expressionLengthMax: number,
  catalog: Catalog,
): QueryRequest {
  return readQuery({ value, exact: exactReader(text), dataOf }, expressionLengthMax, catalog);
}

/** A JSON object that asks for a query. */
export interface QueryObject {
  readonly value: Readonly<Record<string, unknown>>;
  /** The same, by a parser that keeps digits; undefined where floats hold all numbers of it. */
  readonly exact: (() => unknown) | undefined;
  readonly dataOf?: JsonBody['dataOf'];
}

/** Parses a text that is JSON with its digits, once; undefined where that makes no difference. */
export function exactReader(text: string): QueryObject['exact'] {
  let parsed: { readonly value: unknown } | undefined;
  if (!DELICATE_NUMBER.test(text)) return undefined;
  return () => (parsed ??= { value: parseLossless(text, null, { onDuplicateKey }) }).value;
}

/** As JSON.parse has it: the last one counts. */
function onDuplicateKey({ newValue }: { readonly newValue: unknown }): unknown {
  return newValue;
}

/** The request of an object. Throws a `Refusal`. */
export function readQuery(
  object: QueryObject,
  expressionLengthMax: number,
  catalog: Catalog,
): QueryRequest {
  const { query, data, options } = object.value;
  if (typeof query !== 'string' || query.trim() === '') {
    const isBlank = typeof query === 'string';
    const found = query === undefined ? 'absent' : isBlank ? 'empty' : kindOf(query);
    throw new Refusal(
      'query-missing',
      `"query" must be a text with an expression; it is ${found}.`,
    );
  }
  if (query.length > expressionLengthMax) {
    throw new Refusal('query-too-long', `The expression is longer than ${expressionLengthMax}.`);
  }
  const { stage, view } = readOptions(options, catalog);
  const key = planKeyOf(query, stage, view);
  if (data === null) return { key, data: undefined };
  if (data === undefined || typeof data === 'string') {
    return { key, data: data && (object.dataOf?.(data) ?? data) };
  }
  if (typeof data === 'object') return { key, data: textOfData(object, data) };
  const detail = `"data" must be a JSON text or an object; it is ${kindOf(data)}.`;
  throw new Refusal('data-malformed', detail);
}

interface Names {
  readonly stage: string;
  readonly view: string;
}

/** Those of lambdaorm's clients are taken, and ask for nothing here. */
const QUERY_OPTIONS = ['stage', 'view', 'headers', 'chunkSize', 'tryAllCan'];

/** The stage and the view of options; `others`: options beside those of a query. Throws a `Refusal`. */
export function readOptions(
  options: unknown,
  catalog: Catalog,
  others: readonly string[] = [],
): Names {
  const value = optionsObject(options);
  // A view that is misspelt would be taken for absent, and more be shown than was meant.
  const known = [...QUERY_OPTIONS, ...others];
  const unknown = Object.keys(value).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const hint = didYouMean(unknown, known);
    throw optionsRefusal(`There is no option '${unknown}'.`, hint === undefined ? {} : { hint });
  }
  const { stage = catalog.defaultStage, view } = value;
  if (typeof stage !== 'string' || (view !== undefined && typeof view !== 'string')) {
    throw optionsRefusal('"stage" and "view" of "options" must be texts.');
  }
  return { stage, view: chooseView(catalog, stage, view) };
}

/** Options are an object or its JSON text, or absent. Throws a `Refusal`. */
export function optionsObject(options: unknown): Readonly<Record<string, unknown>> {
  if (options === undefined || options === null || options === '') return {};
  const value = typeof options === 'string' ? parseJson(options) : options;
  if (isObject(value)) return value;
  throw optionsRefusal('"options" must be an object.');
}

/** The refusal of options that cannot be used. */
export function optionsRefusal(
  detail: string,
  more: { readonly hint?: string; readonly step?: number } = {},
): Refusal {
  return new Refusal('options-invalid', detail, more);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Numbers that a float may not hold: long runs of digits, or great exponents. */
const DELICATE_NUMBER = /[\d.]{16}|\d[eE][+-]?\d{3}/;

/** The JSON text of nested data, with the digits as they were sent. */
function textOfData({ exact }: QueryObject, data: object): string | undefined {
  try {
    if (!exact) return JSON.stringify(data);
    const found = exact();
    return isObject(found) ? stringifyLossless(found['data']) : undefined;
  } catch (error) {
    // Both walk down member by member, on a stack that has an end.
    if (error instanceof RangeError)
      throw new Refusal('data-malformed', '"data" nests too deeply.');
    throw error;
  }
}
