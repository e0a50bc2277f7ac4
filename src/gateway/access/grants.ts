/** The permissions of a key or a token, from a file of keys or from a claim. */
import { didYouMean } from '../../engine/index.js';
import type { TransactionLimits } from '../../workers/protocol.js';
import { isObject, kindOf } from '../json-value.js';

/** What a query does with an entity; an `upsert` needs `insert` and `update`. */
export const VERBS = ['select', 'insert', 'update', 'delete'] as const;

/** Permissions for endpoints that are not queries. */
export const RIGHTS = ['schema', 'import', 'export', 'metrics', 'stats', 'explain'] as const;

export type Verb = (typeof VERBS)[number];
export type Right = (typeof RIGHTS)[number];

/** Stands for all entities without permissions of their own. */
export const ANY_ENTITY = '*';

/** The limits of a key or token; absent ones are those of the program, which always apply. */
export interface Limits extends TransactionLimits {
  /** The most unanswered requests. */
  readonly requests?: number;
}

const LIMITS = ['rows', 'timeMs', 'requests'] as const satisfies readonly (keyof Limits)[];
const LIMIT_MAX = 1e9;

export interface Grants {
  /** The stages that may be used; absent: all. */
  readonly stages?: readonly string[];
  /** The only view; absent: any. */
  readonly view?: string;
  readonly readOnly?: boolean;
  /** What queries may do with each entity; absent: everything. */
  readonly entities?: Readonly<Record<string, readonly Verb[]>>;
  /** The permitted endpoints that are not queries; absent: none. */
  readonly allow?: readonly Right[];
  /** Requests a second; absent: any number. */
  readonly rate?: number;
  readonly limits?: Limits;
  /** PostgreSQL settings under which its queries run; absent: none. */
  readonly settings?: Readonly<Record<string, string>>;
}

type Reader = (value: unknown) => boolean;

const readers: Readonly<Record<keyof Grants, readonly [isValid: Reader, expected: string]>> = {
  stages: [isListOf(isName), 'a list of names'],
  view: [isName, 'a name'],
  readOnly: [(value) => typeof value === 'boolean', 'true or false'],
  entities: [isEntities, `an object with lists of ${VERBS.join(', ')}`],
  allow: [isListOf(isOneOf(RIGHTS)), `a list of ${RIGHTS.join(', ')}`],
  settings: [isSettings, "an object with texts, named 'role' or with a dot ('app.tenant')"],
  rate: [
    (value) => typeof value === 'number' && value >= 1e-6 && value <= 1e6,
    'a number from 0.000001 to 1000000',
  ],
  limits: [isLimits, `an object with whole numbers from 1 named ${LIMITS.join(', ')}`],
};

/** Reads grants. Throws an Error: an unknown member could be a misspelt restriction. */
export function readGrants(value: unknown): Grants {
  if (!isObject(value)) throw new Error(`the permissions must be an object, not ${kindOf(value)}`);
  for (const [name, member] of Object.entries(value)) {
    const reader = isGrantName(name) ? readers[name] : undefined;
    if (!reader) {
      const hint = didYouMean(name, Object.keys(readers));
      throw new Error([`there is no permission '${name}'`, hint].filter(Boolean).join('. '));
    }
    const [isValid, expected] = reader;
    if (!isValid(member)) throw new Error(`'${name}' must be ${expected}`);
  }
  return value;
}

function isGrantName(name: string): name is keyof Grants {
  return Object.hasOwn(readers, name);
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function isOneOf(words: readonly string[]): Reader {
  return (value) => words.some((word) => word === value);
}

function isListOf(isItem: Reader): Reader {
  return (value) => Array.isArray(value) && value.every(isItem);
}

function isEntities(value: unknown): boolean {
  return isObject(value) && Object.values(value).every(isListOf(isOneOf(VERBS)));
}

/** Names with a dot belong to applications; other settings could change how statements run. */
const SETTING = /^(?:role|[a-z_][a-z0-9_]*(?:\.[a-z_][a-z0-9_]*)+)$/;

function isSettings(value: unknown): boolean {
  if (!isObject(value)) return false;
  return Object.entries(value).every(([name, text]) => SETTING.test(name) && isText(text));
}

function isLimits(value: unknown): boolean {
  if (!isObject(value)) return false;
  return Object.entries(value).every(([name, limit]) => isOneOf(LIMITS)(name) && isLimit(limit));
}

function isLimit(value: unknown): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= LIMIT_MAX;
}

/** Text as the database stores it; halves of surrogate pairs would all become the same character. */
function isText(value: unknown): boolean {
  return typeof value === 'string' && !value.includes('\u0000') && !/\p{Cs}/u.test(value);
}
