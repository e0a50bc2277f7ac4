/** Reads the words of the sample from `schemas/sample-words.json`. */
import { readFileSync } from 'node:fs';

export type Words = readonly [string, ...string[]];

/** A category with its kinds of goods and the ways in which they are packed. */
export interface Category {
  readonly name: string;
  readonly description: string | null;
  readonly goods: Words;
  readonly packs: Words;
}

/** `#` stands for a digit, `~` for a digit that is not 0, and `@` for the name of a street. */
export interface Country {
  readonly name: string;
  /** A region follows a slash: `York / North Yorkshire`. */
  readonly cities: Words;
  readonly postalCode: string;
  readonly phone: string;
  readonly street: string;
  readonly streets: Words;
}

const file = new URL('../../schemas/sample-words.json', import.meta.url);
const all: unknown = JSON.parse(readFileSync(file, 'utf8'));

export function words(name: string, of: unknown = all): Words {
  return list(of, name, (item) => text(item, name));
}

export const categories = list(
  all,
  'categories',
  (each): Category => ({
    name: member(each, 'name'),
    description: memberOf(each, 'description') === null ? null : member(each, 'description'),
    goods: words('goods', each),
    packs: words('packs', each),
  }),
);

export const countries = list(
  all,
  'countries',
  (each): Country => ({
    name: member(each, 'name'),
    cities: words('cities', each),
    postalCode: member(each, 'postalCode'),
    phone: member(each, 'phone'),
    street: member(each, 'street'),
    streets: words('streets', each),
  }),
);

function list<Item>(of: unknown, name: string, read: (item: unknown) => Item): [Item, ...Item[]] {
  const value = memberOf(of, name);
  const [first, ...others] = Array.isArray(value) ? value.map(read) : [];
  if (first === undefined) throw new TypeError(`The sample file has no list '${name}'.`);
  return [first, ...others];
}

function member(of: unknown, name: string): string {
  return text(memberOf(of, name), name);
}

function memberOf(of: unknown, name: string): unknown {
  return typeof of === 'object' && of !== null ? Reflect.get(of, name) : undefined;
}

function text(value: unknown, name: string): string {
  if (typeof value === 'string') return value;
  throw new TypeError(`'${name}' in the sample file contains a value that is not a string.`);
}
