/** Random grouped queries: maps with aggregates, conditions on groups, and sorts of groups. */
import { column, expression, letters, lettersIn, sortableIn } from './expression.js';
import { alike, ALIKE } from './alike.js';
import { directed, filtersOf, lambda } from './clauses.js';
import { type Atom, innermost, type Scope } from './sketch.js';
import type { Letter } from './templates.js';

/** The clauses of a query whose rows are grouped. */
export function groupClauses(scope: Scope, depth: number): readonly string[] {
  const { random, constructs } = scope.sketch;
  const { name } = innermost(scope);
  const isSorted = random.chance(0.5);
  const of = (isSorted ? sortableIn : lettersIn)(scope);
  const atoms = Array.from({ length: random.pick([0, 1, 1, 2]) }, () => keyOf(scope, of, depth));
  // An expression over the group would tell its type.
  const untyped = random.chance(ALIKE) ? [alike(scope)] : [];
  const keys = [...atoms.map(({ text }) => text), ...untyped];
  const aggregates = Array.from({ length: 1 + random.below(3) }, () => aggregate(scope, depth));
  const group = overGroup(scope, atoms);
  const others = Array.from({ length: random.pick([0, 0, 0, 1, 2]) }, () =>
    expression(group, random.pick(letters), 2, '^'),
  );
  const members = { k: keys, a: aggregates, x: others };
  const numbered = Object.entries(members).flatMap(([letter, texts]) =>
    texts.map((text, index) => ({ member: `${letter}${index}`, text })),
  );
  const named = random.chance(0.4) ? likeProperty(scope, members, numbered) : numbered;
  const entries = random.shuffled(named.map(({ member, text }) => `${member}: ${text}`));
  const names = named.map(({ member }) => member);
  // A key or an aggregate of properties may also be repeated instead of being named.
  const repeated = [
    ...keys,
    ...aggregates.map((text) => (isOfProperties(text) ? text : undefined)),
  ];
  const written = (each: string, index: number) =>
    (random.chance(0.3) ? repeated[index] : undefined) ?? `${name}.${each}`;
  const sort = names.map((each, index) => directed(scope, written(each, index))).join(', ');
  const cut = random.chance(0.3)
    ? random.pick(['.page(1, 3)', '.page(2, 2)', '.first()', '.last()', '.take(2)'])
    : '';
  if (random.chance(0.1))
    return [
      `.map(${lambda(scope, random.pick(['count()', 'count(1)']))})`,
      ...filtersOf(scope, depth),
    ];
  constructs.add('group');
  return [
    `.${random.pick(['map', 'map', 'select'])}(${lambda(scope, `({${entries.join(', ')}})`)})`,
    ...filtersOf(scope, depth),
    random.chance(0.3) ? havingOf(scope, keys, group) : '',
    isSorted ? `.sort(${name}=>[${sort}])` : '',
    cut,
    random.chance(0.08) ? '.count()' : '',
  ].filter((part) => part !== '');
}

interface Member {
  readonly member: string;
  readonly text: string;
}

/**
 * The members, one of which has the name of a property that no key reads: outside of aggregates, the name is then that
 * member.
 */
function likeProperty(
  scope: Scope,
  { k: keys, a: aggregates }: { readonly k: readonly string[]; readonly a: readonly string[] },
  members: readonly Member[],
): readonly Member[] {
  const { random, constructs } = scope.sketch;
  const { entity } = innermost(scope);
  const isRead = (name: string, texts: readonly string[]) =>
    texts.some((text) => new RegExp(`\\b${name}\\b`).test(text));
  const free = entity.properties.map(({ name }) => name).filter((name) => !isRead(name, keys));
  const aggregated = free.filter((name) => isRead(name, aggregates));
  // Conditions on groups may read the first aggregate and the first key by their usual names.
  const last = members.at(-1);
  if (free.length === 0 || !last || ['k0', 'a0'].includes(last.member)) return members;
  constructs.add('group member named like a property');
  return [
    ...members.slice(0, -1),
    { ...last, member: random.pick(aggregated.length > 0 ? aggregated : free) },
  ];
}

/** Whether the aggregate reads no related rows. */
function isOfProperties(text: string): boolean {
  return !/=>|\.count\(\)|exists/.test(text);
}

function keyOf(scope: Scope, of: readonly Letter[], depth: number): Atom {
  const { random } = scope.sketch;
  const letter = random.pick(of);
  const found = random.chance(0.7) ? column(scope, letter) : undefined;
  return { letter, text: found ?? expression(scope, letter, depth, '^') };
}

/** The scope of expressions that read keys and aggregates. */
function overGroup(scope: Scope, keys: readonly Atom[]): Scope {
  const { random, constructs } = scope.sketch;
  constructs.add('expression over a group');
  const extremes = [random.pick(letters), random.pick(letters)].map((letter) => {
    return { letter, text: `${random.pick(['min', 'max'])}(${expression(scope, letter, 1, '^')})` };
  });
  // A related aggregate can only be repeated as a whole.
  const own = keys.filter(({ text }) => !text.includes('=>'));
  return { ...scope, atoms: [...own, ...own, ...extremes, { letter: 'i', text: 'count()' }] };
}

/** An aggregate, or an expression that contains some. */
function aggregate(scope: Scope, depth: number): string {
  const { random, constructs } = scope.sketch;
  const name = random.pick(names);
  constructs.add(`aggregate ${name}`);
  const of = (letter: Letter) => expression(scope, letter, depth, '^');
  switch (name) {
    case 'rows':
      return random.pick(['count()', 'count(1)']);
    case 'count':
      return `count(${of(random.pick(lettersIn(scope)))})`;
    case 'different':
      return `count(distinct(${of(random.pick(lettersIn(scope)))}))`;
    case 'sum':
    case 'avg':
      return `${name}(${of(random.pick(['i', 'd', 'd', 'f']))})`;
    case 'sum different':
      return `sum(distinct(${of(random.pick(['i', 'd']))}))`;
    case 'min':
    case 'max':
      return `${name}(${random.chance(ALIKE) ? alike(scope) : of(random.pick(letters))})`;
    case 'spread':
      return `(max(${of('i')}) - min(${of('i')}))`;
    case 'rounded':
      return `round(avg(${of('d')}), 2)`;
    case 'chosen':
      return `(count() > 2 ? sum(${of('d')}) : 0.5)`;
    case 'joined':
      return `("#" + count(${of('s')}))`;
  }
}

const names = [
  'rows',
  'count',
  'different',
  'sum',
  'sum',
  'avg',
  'sum different',
  'min',
  'max',
  'spread',
  'rounded',
  'chosen',
  'joined',
] as const;

/** It reads only keys and aggregates. */
function havingOf(scope: Scope, keys: readonly string[], group: Scope): string {
  const { random, constructs } = scope.sketch;
  const { name } = innermost(scope);
  constructs.add('having');
  if (random.chance(0.4)) return `.having(${lambda(scope, expression(group, 'b', 3, '^'))})`;
  const conditions = [
    'count() > 1',
    `!(count() == ${random.below(4)})`,
    `sum(${expression(scope, 'd', 1, '^')}) > 1.5`,
    `${name}.a0 != null`,
    `count(distinct(${expression(scope, 's', 0, '^')})) >= 2 || count() < 2`,
    ...(keys.length > 0 ? [`${name}.k0 == null`, `(${name}.k0 != null && count() >= 1)`] : []),
  ];
  return `.having(${lambda(scope, random.pick(conditions))})`;
}
