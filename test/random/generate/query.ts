/** Random queries that read: every clause, in any order. */
import type { Random } from '../random.js';
import type { Domain, Entity } from '../world/domain.js';
import { column, expression, letters, parameter } from './expression.js';
import { groupClauses } from './group.js';
import { includesOf } from './include.js';
import { createSketch, innermost, type Scope, type Sketch, within } from './sketch.js';

/** A query without its data. */
export interface RandomQuery {
  readonly text: string;
  readonly parameters: ReadonlySet<string>;
  readonly constructs: ReadonlySet<string>;
}

/** How many rows make an entity one of many rows. */
export const CROWD = 100;

/** A query on one of the entities. */
export function makeQuery(random: Random, domain: Domain): RandomQuery {
  const sketch = createSketch(random, domain);
  const entity = chosenEntity(random, domain);
  const scope = scopeOf(sketch, entity, random.pick(['p', 'p', 'p', 'x', '$a_1']));
  const depth = entity.size > CROWD ? random.below(2) : random.pick([0, 1, 2, 3]);
  const clauses = random.weighted([
    [6, plainClauses],
    [2, groupClauses],
    [1, distinctClauses],
    [1, countClauses],
  ] as const)(scope, depth);
  const text = dressed(random, entity.name, clauses);
  const { parameters, constructs } = sketch;
  return { text, parameters, constructs };
}

/** Entities of many rows are asked less often. */
function chosenEntity(random: Random, { entities }: Domain): Entity {
  return random.weighted(entities.map((each) => [each.size > CROWD ? 0.3 : 1, each] as const));
}

export function scopeOf(sketch: Sketch, entity: Entity, name: string): Scope {
  return within({ sketch, variables: [], level: -1 }, { name, entity });
}

/** White space, comments and a final `;` mean nothing. */
function dressed(random: Random, entity: string, clauses: readonly string[]): string {
  const text = entity + random.shuffled(clauses).join('');
  if (random.chance(0.9)) return text;
  return random.pick([`${text};`, `()=>${text}`, ` ${text}\n`, `/* a */${text}/* ; */`]);
}

/** Clauses of rows. */
function plainClauses(scope: Scope, depth: number): readonly string[] {
  const { random } = scope.sketch;
  const isCut = random.chance(0.3);
  const cut = isCut ? cutOf(scope, depth) : { text: '', hasMap: false };
  const map = cut.hasMap ? { text: '', names: [] } : mapOf(scope, depth);
  const parts = [
    ...filtersOf(scope, depth),
    map.text,
    random.chance(0.5) ? sortOf(scope, depth, map.names) : '',
    cut.text,
    random.chance(0.35) ? includesOf(scope, depth, 1, map.names) : '',
  ];
  return parts.filter((part) => part !== '');
}

/** None, one or two. */
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

/** A map, and the names of what it chooses. */
export interface MapText {
  readonly text: string;
  readonly names: readonly string[];
}

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
  if (kind === 'none') return { text: '', names: [] };
  constructs.add(`${clause} ${kind}`);
  const whole = (body: string, names: readonly string[]) => {
    return { text: `.${clause}(${lambda(scope, body)})`, names };
  };
  if (kind === 'row') return whole(variable, []);
  if (kind === 'one') {
    const property = random.pick(properties);
    return whole(`${variable}.${property}`, [property]);
  }
  if (kind === 'list') return whole(...listOf(scope, properties));
  const entries = Array.from({ length: 1 + random.below(3) }, (_, index) => {
    return [`x${index}`, answeredValue(scope, depth)] as const;
  });
  const body = `({${entries.map(([key, value]) => `${key}: ${value}`).join(', ')}})`;
  return whole(
    body,
    entries.map(([key]) => key),
  );
}

/** Properties, paths under the names of all their parts, and functions under their own. */
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
    items.push(`${name}.${relation.name}.${relation.to}`);
    return [`[${items.join(', ')}]`, [...chosen, `${relation.name}_${relation.to}`]];
  }
  if (random.chance(0.2) && !chosen.includes('upper')) {
    items.push(`upper(${expression(scope, 's', 1)})`);
    return [`[${items.join(', ')}]`, [...chosen, 'upper']];
  }
  return [`[${items.join(', ')}]`, chosen];
}

/** A value of any type that is known by itself, as its type cannot be told by what it meets. */
function answeredValue(scope: Scope, depth: number): string {
  const { random } = scope.sketch;
  const { entity, name } = innermost(scope);
  const extra = entity.properties.filter(({ type }) => type === 'any');
  if (extra.length > 0 && random.chance(0.1)) return `${name}.${random.pick(extra).name}`;
  return expression(scope, random.pick(letters), depth, '^');
}

/** Keys are columns, paths, expressions and names that the map made. */
export function sortOf(scope: Scope, depth: number, names: readonly string[]): string {
  const { random, constructs } = scope.sketch;
  const { name } = innermost(scope);
  const keys = Array.from({ length: 1 + random.below(3) }, () => {
    const key =
      names.length > 0 && random.chance(0.3)
        ? `${name}.${random.pick(names)}`
        : expression(scope, random.pick(letters), random.chance(0.7) ? 0 : depth, '^');
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

/** Which rows are answered: `first` and `last` may have a map of their own. */
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

/** Its rows are sorted by their own columns only. */
function distinctClauses(scope: Scope, depth: number): readonly string[] {
  const { random, constructs } = scope.sketch;
  const { name } = innermost(scope);
  constructs.add('distinct');
  const values = Array.from({ length: 1 + random.below(2) }, () => {
    const letter = random.pick(letters);
    return random.chance(0.6)
      ? (column(scope, letter) ?? `${name}.${anyOf(scope)}`)
      : expression(scope, letter, depth, '^');
  });
  const entries = values.map((value, index) => `x${index}: ${value}`).join(', ');
  const keys = values.map((_, index) => directed(scope, `${name}.x${index}`)).join(', ');
  const cut = random.pick(['', '', '.page(1, 5)', '.first()', '.take(2)', '.count()']);
  const isSorted = random.chance(0.5);
  return [
    `.distinct(${lambda(scope, `({${entries}})`)})`,
    ...filtersOf(scope, depth),
    isSorted ? `.sort(${name}=>[${keys}])` : '',
    cut,
  ].filter((part) => part !== '');
}

function anyOf(scope: Scope): string {
  return scope.sketch.random.pick(innermost(scope).entity.properties).name;
}

function countClauses(scope: Scope, depth: number): readonly string[] {
  const { random, constructs } = scope.sketch;
  constructs.add('count');
  const cut = random.pick(['', '', '.page(1, 5)', '.page(2, 3)', '.first()', '.take(3)']);
  return ['.count()', ...filtersOf(scope, depth), cut].filter((part) => part !== '');
}
