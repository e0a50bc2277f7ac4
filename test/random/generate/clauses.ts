/** Random clauses for queries and included relations. */
import { expression, isSortable, lettersIn, sortableIn, typeOfLetter } from './expression.js';
import { alike, ALIKE } from './alike.js';
import { parts } from './part-templates.js';
import type { PropertyType } from '../world/domain.js';
import { innermost, parameter, type Scope } from './sketch.js';

/** The number of rows from which an entity counts as large. */
export const CROWD = 100;

/** No filter, one or two. */
export function filtersOf(scope: Scope, depth: number): readonly string[] {
  const { random, constructs } = scope.sketch;
  const count = random.pick([0, 1, 1, 2]);
  return Array.from({ length: count }, () => {
    const name = random.pick(['filter', 'filter', 'filter', 'where']);
    constructs.add(name);
    return `.${name}(${lambda(scope, expression(scope, 'b', depth))})`;
  });
}

export function lambda(scope: Scope, body: string): string {
  const { name } = innermost(scope);
  return scope.sketch.random.chance(0.05) ? `(${name})=>${body}` : `${name}=>${body}`;
}

/** A map, the names of its columns, and those by which rows can be sorted. */
export interface MapText {
  readonly text: string;
  readonly names: readonly string[];
  readonly sortable: readonly string[];
}

export const noMap: MapText = { text: '', names: [], sortable: [] };

export function mapOf(scope: Scope, depth: number): MapText {
  const { random, constructs } = scope.sketch;
  const { entity, name: variable } = innermost(scope);
  const clause = random.pick(['map', 'map', 'select']);
  const properties = entity.properties.map(({ name }) => name);
  const kind = random.weighted([
    [2, 'none'],
    [0.5, 'row'],
    [1, 'one'],
    [2, 'list'],
    [4, 'object'],
  ] as const);
  if (kind === 'none') return noMap;
  constructs.add(`${clause} ${kind}`);
  const whole = (body: string, names: readonly string[], unsorted: readonly string[]) => {
    const sortable = names.filter((each) => !unsorted.includes(each));
    return { text: `.${clause}(${lambda(scope, body)})`, names, sortable };
  };
  const unsorted = entity.properties.filter(({ type }) => !isSortable(type));
  const others = unsorted.map(({ name }) => name);
  if (kind === 'row') return whole(variable, [], []);
  if (kind === 'one') {
    const property = random.pick(properties);
    return whole(`${variable}.${property}`, [property], others);
  }
  if (kind === 'list') return whole(...listOf(scope, properties), others);
  const entries = Array.from({ length: 1 + random.below(3) }, (_, index) => {
    return { key: `x${index}`, ...answeredValue(scope, depth) };
  });
  const body = `({${entries.map(({ key, text }) => `${key}: ${text}`).join(', ')}})`;
  const keys = entries.map(({ key }) => key);
  return whole(
    body,
    keys,
    entries.filter(({ type }) => !isSortable(type)).map(({ key }) => key),
  );
}

/** A list of properties, of paths named by all their parts, and of functions named by their names. */
function listOf(scope: Scope, properties: readonly string[]): [string, readonly string[]] {
  const { random } = scope.sketch;
  const { entity, name } = innermost(scope);
  const chosen = random.some(properties, 1 + random.below(3));
  const items = chosen.map((property) => `${name}.${property}`);
  const [relation] = random.some(
    entity.relations.filter(({ isMany }) => !isMany),
    1,
  );
  if (relation && random.chance(0.4)) {
    const property = random.pick(relation.to);
    items.push(`${name}.${relation.name}.${property}`);
    return [`[${items.join(', ')}]`, [...chosen, `${relation.name}_${property}`]];
  }
  if (random.chance(0.2) && !chosen.includes('upper')) {
    items.push(`upper(${expression(scope, 's', 1)})`);
    return [`[${items.join(', ')}]`, [...chosen, 'upper']];
  }
  return [`[${items.join(', ')}]`, chosen];
}

/** A value of any type that can be determined without its context. */
function answeredValue(scope: Scope, depth: number): { text: string; type: PropertyType } {
  const { random } = scope.sketch;
  const { entity, name } = innermost(scope);
  const extra = entity.properties.filter(({ type }) => type === 'any' || type === 'xml');
  if (extra.length > 0 && random.chance(0.1)) {
    const { name: property, type } = random.pick(extra);
    return { text: `${name}.${property}`, type };
  }
  const documents = entity.properties.filter(({ type }) => type === 'json');
  if (documents.length > 0 && random.chance(0.15)) {
    const path = `${name}.${random.pick(documents).name}`;
    return { text: `${path}${random.pick(['', ...parts])}`, type: 'json' };
  }
  if (random.chance(0.06)) return { text: untyped(scope), type: 'json' };
  if (random.chance(ALIKE)) return { text: alike(scope), type: 'string' };
  const letter = random.pick(lettersIn(scope));
  return { text: expression(scope, letter, depth, '^'), type: typeOfLetter[letter] };
}

/** Nothing tells the type of these parameters. */
function untyped(scope: Scope): string {
  const { random } = scope.sketch;
  const first = parameter(scope, 'free1');
  if (random.chance(0.6)) return first;
  const other = random.chance(0.5) ? 'null' : parameter(scope, 'free2');
  return `(${expression(scope, 'b', 1)} ? ${first} : ${other})`;
}

/** Keys are columns, paths, expressions and names that the map defines. */
export function sortOf(scope: Scope, depth: number, names: readonly string[]): string {
  const { random, constructs } = scope.sketch;
  const { name, entity } = innermost(scope);
  const documents = entity.properties.filter(({ type }) => type === 'json');
  const keys = Array.from({ length: 1 + random.below(3) }, () => {
    if (documents.length > 0 && random.chance(0.1)) {
      return directed(scope, `${name}.${random.pick(documents).name}${random.pick(parts)}`);
    }
    if (random.chance(ALIKE)) return directed(scope, alike(scope));
    const key =
      names.length > 0 && random.chance(0.3)
        ? `${name}.${random.pick(names)}`
        : expression(scope, random.pick(sortableIn(scope)), random.chance(0.7) ? 0 : depth, '^');
    return directed(scope, key);
  });
  const clause = random.pick(['sort', 'sort', 'order']);
  constructs.add(clause);
  const body = keys.length === 1 && random.chance(0.5) ? keys[0] : `[${keys.join(', ')}]`;
  return `.${clause}(${name}=>${body})`;
}

export function directed({ sketch: { random, constructs } }: Scope, key: string): string {
  const way = random.pick(['', 'asc', 'desc', 'desc', '.desc']);
  if (way === '') return key;
  constructs.add(way);
  return way === '.desc' && !/^\d/.test(key) ? `${key}.desc()` : `${way.replace('.', '')}(${key})`;
}

/** The clauses that limit rows. `first` and `last` may have a map. */
export function cutOf(
  scope: Scope,
  depth: number,
): { readonly text: string; readonly hasMap: boolean } {
  const { random, constructs } = scope.sketch;
  const name = random.pick(['page', 'page', 'first', 'last', 'take']);
  constructs.add(name);
  if (name === 'page') {
    const number = random.chance(0.3) ? parameter(scope, 'page.no') : String(1 + random.below(3));
    const size = random.chance(0.3) ? parameter(scope, 'page.size') : String(1 + random.below(6));
    return { text: `.page(${number}, ${size})`, hasMap: false };
  }
  if (name === 'take') {
    const count = random.pick(['', '1', '3', parameter(scope, 'page.size')]);
    return { text: `.take(${count})`, hasMap: false };
  }
  if (random.chance(0.5)) return { text: `.${name}()`, hasMap: false };
  const map = mapOf(scope, depth).text;
  return map === ''
    ? { text: `.${name}()`, hasMap: false }
    : { text: map.replace(/^\.\w+/, `.${name}`), hasMap: true };
}
