/** Reads the body of a query endpoint: the expression, its data, and under which stage and view. */
import { parse as parseLossless, stringify as stringifyLossless } from 'lossless-json';
import { type Catalog, didYouMean } from '../engine/index.js';
import { chooseView } from './choose-view.js';
import type { KnownProblem } from './errors.js';
import { isObject, type JsonBody, kindOf } from './http/body.js';
import { type PlanKey, planKeyOf } from './plan-cache.js';

/** What a query endpoint is asked. */
export interface QueryRequest {
  readonly kind: 'request';
  readonly key: PlanKey;
  /** The JSON text of the data. */
  readonly data: string | undefined;
}

export type ReadQueryRequest =
  | QueryRequest
  | { readonly kind: 'problem'; readonly problem: KnownProblem };

/** The request of a body, or what is wrong with it. */
export function readQueryRequest(
  { text, value }: JsonBody,
  expressionLengthMax: number,
  catalog: Catalog,
): ReadQueryRequest {
  return readQuery({ value, exact: exactReader(text) }, expressionLengthMax, catalog);
}

/** A JSON object that asks for a query. */
export interface QueryObject {
  readonly value: Readonly<Record<string, unknown>>;
  /** The same, by a parser that keeps digits; undefined where floats hold all numbers of it. */
  readonly exact: (() => unknown) | undefined;
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

/** The request of an object, or what is wrong with it. */
export function readQuery(
  object: QueryObject,
  expressionLengthMax: number,
  catalog: Catalog,
): ReadQueryRequest {
  const { query, data, options } = object.value;
  if (typeof query !== 'string' || query.trim() === '') {
    const isBlank = typeof query === 'string';
    const found = query === undefined ? 'absent' : isBlank ? 'empty' : kindOf(query);
    return refused('query-missing', `"query" must be a text with an expression; it is ${found}.`);
  }
  if (query.length > expressionLengthMax) {
    return refused('query-too-long', `The expression is longer than ${expressionLengthMax}.`);
  }
  const names = readOptions(options, catalog);
  if ('problem' in names) return { kind: 'problem', problem: names.problem };
  const key = planKeyOf(query, names.stage, names.view);
  if (data === undefined || data === null || typeof data === 'string') {
    return { kind: 'request', key, data: data ?? undefined };
  }
  if (typeof data !== 'object') {
    return refused(
      'data-malformed',
      `"data" must be a JSON text or an object; it is ${kindOf(data)}.`,
    );
  }
  const read = textOfData(object, data);
  if ('fault' in read) return refused('data-malformed', read.fault);
  return { kind: 'request', key, data: read.text };
}

interface Names {
  readonly stage: string;
  readonly view: string;
}

/** Those of lambdaorm's clients are taken, and ask for nothing here. */
const QUERY_OPTIONS = ['stage', 'view', 'headers', 'chunkSize', 'tryAllCan'];

/** The stage and the view of options, or what is wrong with them; `others`: options beside those of a query. */
export function readOptions(
  options: unknown,
  catalog: Catalog,
  others: readonly string[] = [],
): Names | { readonly problem: KnownProblem } {
  const value = optionsObject(options);
  if (!value) return { problem: optionsProblem('"options" must be an object.') };
  // A view that is misspelt would be taken for absent, and more be shown than was meant.
  const known = [...QUERY_OPTIONS, ...others];
  const unknown = Object.keys(value).find((name) => !known.includes(name));
  if (unknown !== undefined) return { problem: unknownOption(unknown, known) };
  const { stage = catalog.defaultStage, view } = value;
  if (typeof stage !== 'string' || (view !== undefined && typeof view !== 'string')) {
    return { problem: optionsProblem('"stage" and "view" of "options" must be texts.') };
  }
  const chosen = chooseView(catalog, stage, view);
  return 'problem' in chosen ? chosen : { stage, view: chosen.view };
}

/** Options are an object or its JSON text, or absent; undefined where they are something else. */
export function optionsObject(options: unknown): Readonly<Record<string, unknown>> | undefined {
  if (options === undefined || options === null || options === '') return {};
  const value = typeof options === 'string' ? parseJson(options) : options;
  return isObject(value) ? value : undefined;
}

function unknownOption(name: string, known: readonly string[]): KnownProblem {
  const problem = optionsProblem(`There is no option '${name}'.`);
  const hint = didYouMean(name, known);
  return hint === undefined ? problem : { ...problem, hint };
}

/** The problem of options that cannot be used. */
export function optionsProblem(detail: string): KnownProblem {
  return { code: 'options-invalid', detail };
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

type DataText = { readonly text: string | undefined } | { readonly fault: string };

/** The JSON text of nested data, with the digits as they were sent. */
function textOfData({ exact }: QueryObject, data: object): DataText {
  try {
    if (!exact) return { text: JSON.stringify(data) };
    const found = exact();
    return { text: isObject(found) ? stringifyLossless(found['data']) : undefined };
  } catch (error) {
    // Both walk down member by member, on a stack that has an end.
    if (error instanceof RangeError) return { fault: '"data" nests too deeply.' };
    throw error;
  }
}

function refused(code: KnownProblem['code'], detail: string): ReadQueryRequest {
  return { kind: 'problem', problem: { code, detail } };
}
