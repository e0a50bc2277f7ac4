/** Reads the body of a query endpoint: the expression, its data, the stage and the view. */
import { parse as parseLossless, stringify as stringifyLossless } from 'lossless-json';
import { didYouMean } from '../engine/index.js';
import { chooseStage, chooseView, type Scope } from './choose-view.js';
import type { Configuration } from './config.js';
import { Refusal } from './errors.js';
import type { JsonBody } from './http/body.js';
import { isObject, jsonIn, kindOf } from './json-value.js';
import type { RequestData } from '../workers/protocol.js';
import { type PlanKey, planKeyOf, totalKeyOf } from './plan-cache.js';

export interface QueryRequest {
  readonly key: PlanKey;
  readonly data: RequestData;
  /** The plan that counts all rows, if their number is requested (`options.count`). */
  readonly total?: PlanKey;
}

/** What a body may contain; `otherOptions`: options besides the usual ones. */
export type BodyRules = Configuration & { readonly otherOptions?: readonly string[] };

/** Reads the request from a body. Throws a `Refusal`. */
export function readQueryRequest(
  { text, value, dataOf }: JsonBody,
  rules: BodyRules,
  scope: Scope,
): QueryRequest {
  const exact = typeof value['data'] === 'object' ? exactReader(text) : undefined;
  return readQuery({ value, exact, dataOf }, rules, scope);
}

/** A JSON object that contains a query. */
export interface QueryObject {
  readonly value: Readonly<Record<string, unknown>>;
  /** From a parser that keeps all digits; undefined if doubles represent all its numbers exactly. */
  readonly exact: (() => unknown) | undefined;
  readonly dataOf?: JsonBody['dataOf'];
}

/** Parses a JSON text with all digits, once; undefined if doubles represent all its numbers exactly. */
export function exactReader(text: string): QueryObject['exact'] {
  if (!DELICATE_NUMBER.test(text)) return undefined;
  let parsed: { readonly value: unknown } | undefined;
  let fault: Error | undefined;
  return () => {
    // Another query of the same list has tried.
    if (fault) throw fault;
    try {
      return (parsed ??= { value: parseLossless(text, null, { onDuplicateKey }) }).value;
    } catch (error) {
      if (error instanceof Error) fault = error;
      throw error;
    }
  };
}

export function memberOf(value: unknown, name: string | number): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/** As in JSON.parse, the last of several equal names counts. */
function onDuplicateKey({ newValue }: { readonly newValue: unknown }): unknown {
  return newValue;
}

/** Reads the request from an object. Throws a `Refusal`. */
export function readQuery(object: QueryObject, rules: BodyRules, scope: Scope): QueryRequest {
  const { expressionLengthMax, otherOptions } = rules;
  const { options } = object.value;
  const name = queryMember(object.value);
  checkMembers(object.value, [name, 'data', 'options'], rules);
  const query = object.value[name];
  if (typeof query !== 'string' || query.trim() === '') {
    const isBlank = typeof query === 'string';
    const found = query === undefined ? 'absent' : isBlank ? 'empty' : kindOf(query);
    const other = isBlank ? undefined : memberWithText(object.value);
    throw new Refusal(
      'query-missing',
      `"query" must be a string with an expression, but it is ${found}.`,
      other === undefined ? {} : { hint: `Send the '${other}' as 'query'.` },
    );
  }
  if (query.length > expressionLengthMax) {
    throw new Refusal(
      'query-too-long',
      `The expression is longer than ${expressionLengthMax} characters.`,
    );
  }
  const { stage, view, count } = readOptions(options, scope, otherOptions);
  const key = planKeyOf(query, stage, view);
  return { key, data: readData(object), ...(count && { total: totalKeyOf(key) }) };
}

/** The name of the query: older clients of lambdaorm-svc call it `expression`. */
function queryMember({ query, expression }: Readonly<Record<string, unknown>>): string {
  return query === undefined && typeof expression === 'string' ? 'expression' : 'query';
}

/** A member that may be the query under another name, such as `qurey`. */
function memberWithText(body: Readonly<Record<string, unknown>>): string | undefined {
  return Object.keys(body).find(
    (name) => !['query', 'data', 'options'].includes(name) && typeof body[name] === 'string',
  );
}

/**
 * Throws a `Refusal` for a stage or a view beside the options, which would be ignored and so show more than intended, and
 * with strict data for any member that is not known.
 */
export function checkMembers(
  body: Readonly<Record<string, unknown>>,
  known: readonly string[],
  { strictData }: BodyRules,
): void {
  const misplaced = (['stage', 'view'] as const).find((name) => body[name] != null);
  if (misplaced !== undefined && !known.includes(misplaced)) {
    const hint = `Write it in "options": {"${misplaced}": …}.`;
    throw new Refusal('member-unknown', `'${misplaced}' is an option of the query.`, { hint });
  }
  const unknown = strictData && Object.keys(body).find((name) => !known.includes(name));
  if (typeof unknown !== 'string') return;
  const hint = didYouMean(unknown, known);
  const detail = `There is no member '${unknown}' here: a body has ${known.join(', ')}.`;
  throw new Refusal('member-unknown', detail, hint === undefined ? {} : { hint });
}

/** Reads the data of an object with a query. Throws a `Refusal`. */
export function readData(object: QueryObject): RequestData {
  const { data } = object.value;
  if (data === null) return undefined;
  if (data === undefined || typeof data === 'string') {
    return data && (object.dataOf?.(data) ?? data);
  }
  if (typeof data === 'object') return textOfData(object, data);
  const detail = `"data" must be an object or its JSON text, not ${kindOf(data)}.`;
  throw new Refusal('data-malformed', detail);
}

interface QueryOptions {
  readonly stage: string;
  readonly view: string;
  /** Whether to count all rows. */
  readonly count: boolean;
}

/** The last three are options that clients of lambdaorm send; they are accepted without effect. */
const QUERY_OPTIONS = ['stage', 'view', 'count', 'headers', 'chunkSize', 'tryAllCan'] as const;

export type QueryOption = (typeof QUERY_OPTIONS)[number];

/** Reads the options of a query; `others`: further options that are allowed. Throws a `Refusal`. */
export function readOptions(
  options: unknown,
  scope: Scope,
  others: readonly string[] = [],
): QueryOptions {
  const sent = sentOptions(options);
  // If a misspelt view were ignored, the answer could show more than intended.
  const unknown = Object.keys(sent).find((name) => ![...QUERY_OPTIONS, ...others].includes(name));
  if (unknown !== undefined) {
    const hint = didYouMean(unknown, [...QUERY_OPTIONS, ...others]);
    throw optionsRefusal(`There is no option '${unknown}'.`, hint === undefined ? {} : { hint });
  }
  const value = withoutNulls(sent);
  const { count = false } = value;
  if (typeof count !== 'boolean') throw optionsRefusal('"count" must be true or false.');
  const stage = chooseStage(scope, nameIn(value, 'stage'));
  return { stage, view: chooseView(scope, stage, nameIn(value, 'view')), count };
}

/** The name of a stage or a view; undefined if it is absent. */
function nameIn(options: OptionMembers, option: 'stage' | 'view'): string | undefined {
  const name = options[option];
  if (typeof name === 'string') return name;
  if (name === undefined) return undefined;
  throw optionsRefusal('"stage" and "view" of "options" must be strings.');
}

type OptionMembers = Readonly<Record<string, unknown>>;

/** The options: an object, its JSON text, or absent; a member that is null counts as absent. Throws a `Refusal`. */
export function optionsObject(options: unknown): OptionMembers {
  return withoutNulls(sentOptions(options));
}

/** Clients in several languages send null for what is not set. */
function withoutNulls(members: OptionMembers): OptionMembers {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));
}

function sentOptions(options: unknown): OptionMembers {
  if (options === undefined || options === null || options === '') return {};
  const value = typeof options === 'string' ? jsonIn(options) : options;
  if (value === null) return {};
  if (isObject(value)) return value;
  throw optionsRefusal(
    value === undefined ? 'The text of "options" is not JSON.' : '"options" must be an object.',
  );
}

export function optionsRefusal(
  detail: string,
  more: { readonly hint?: string; readonly step?: number } = {},
): Refusal {
  return new Refusal('options-invalid', detail, more);
}

/** The refusal of `count` where there is no answer with rows. */
export function noTotal(what: string): Refusal {
  return optionsRefusal(`${what} has no total of rows: leave "count" out of "options".`);
}

/** Numbers that a double may not represent exactly: with many digits, or large exponents. */
const DELICATE_NUMBER = /[\d.]{16}|\d[eE][+-]?\d{3}/;

/** The JSON text of nested data, with all digits that were sent. */
function textOfData({ exact }: QueryObject, data: object): string | undefined {
  try {
    if (!exact) return JSON.stringify(data);
    return stringifyLossless(memberOf(exact(), 'data'));
  } catch (error) {
    // Both functions recurse into the members, so their depth is limited.
    if (error instanceof RangeError)
      throw new Refusal('data-malformed', '"data" nests too deeply.');
    throw error;
  }
}
