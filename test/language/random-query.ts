/** Random queries over the sample's entities, as texts: every clause, in any order. */
import fc from 'fast-check';
import { type EntityInfo, entityNamed, type RelationInfo } from './evaluator/sample-domain.js';
import { columnsOf, type Expressions, expressionsOver, randomData } from './random-expression.js';

type Text = fc.Arbitrary<string>;

const entities = [
  'Products',
  'Products',
  'Orders',
  'Customers',
  'Employees',
  'Suppliers',
  'Categories',
  'Orders.details',
];

/** A query, and data for its parameters. */
export const randomQuery = fc.record({
  query: fc.constantFrom(...entities).chain((name) => {
    const entity = entityNamed(name);
    return fc
      .oneof(
        { weight: 4, arbitrary: plainClauses(entity) },
        { weight: 2, arbitrary: groupClauses(entity) },
        { weight: 1, arbitrary: distinctClauses(entity) },
        { weight: 1, arbitrary: countClauses(entity) },
      )
      .map((clauses) => name + clauses);
  }),
  data: randomData,
});

/** Clauses of rows: in any order. */
function plainClauses(entity: EntityInfo): Text {
  const parts = [
    filters(entity, 'p'),
    maps(entity, 'p'),
    fc.option(sorts(entity, 'p'), { nil: '' }),
    fc.oneof(
      { weight: 3, arbitrary: fc.constant('') },
      { weight: 2, arbitrary: cuts('p', entity) },
    ),
    fc.oneof(
      { weight: 2, arbitrary: fc.constant('') },
      { weight: 1, arbitrary: includes(entity, 'p', 1) },
    ),
  ];
  const order = fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 5 });
  return fc
    .tuple(order, ...parts)
    .map(([indexes, ...texts]) => indexes.map((index) => texts[index]).join(''));
}

function filters(entity: EntityInfo, variable: string): Text {
  const { boolean } = expressionsOver(entity.name, variable);
  return fc
    .array(boolean, { maxLength: 2 })
    .map((all) => all.map((each) => `.filter(${variable}=>${each})`).join(''));
}

/** A parameter that meets nothing has no type: it is answered as a text. */
function valueOf({ integer, decimal, string, boolean }: Expressions): Text {
  return fc.oneof(integer, typed(decimal), string, asCondition(boolean));
}

function typed(decimal: Text): Text {
  return decimal.map((text) => `(${text}+0)`);
}

function asCondition(boolean: Text): Text {
  return boolean.map((text) => `!!${text}`);
}

function maps(entity: EntityInfo, variable: string): Text {
  const all = columnsOf(entity, variable).all.filter((path) => path.split('.').length === 2);
  const value = valueOf(expressionsOver(entity.name, variable));
  return fc.oneof(
    fc.constant(''),
    fc.uniqueArray(fc.constantFrom(...all), { minLength: 1, maxLength: 4 }).map((paths) => {
      return `.map(${variable}=>[${paths.join(', ')}])`;
    }),
    fc.array(value, { minLength: 1, maxLength: 3 }).map((values) => {
      const entries = values.map((each, index) => `x${index}: ${each}`);
      return `.map(${variable}=>({${entries.join(', ')}}))`;
    }),
  );
}

/** The primary key decides where all else is equal. */
function sorts(entity: EntityInfo, variable: string): Text {
  const { integer, string, boolean } = expressionsOver(entity.name, variable);
  const key = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...columnsOf(entity, variable).all) },
    { weight: 1, arbitrary: fc.oneof(integer, string, boolean) },
  );
  const ends = entity.primaryKey.map((name) => `${variable}.${name}`);
  return fc
    .array(fc.tuple(fc.constantFrom('', 'asc', 'desc'), key), { maxLength: 2 })
    .map((keys) => [...keys.map(([way, text]) => (way === '' ? text : `${way}(${text})`)), ...ends])
    .map((keys) => `.sort(${variable}=>[${keys.join(', ')}])`);
}

/** `take` gives any rows: of those that are sorted, the first. */
function cuts(_variable: string, _entity: EntityInfo): Text {
  return fc.oneof(
    fc
      .tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 0, max: 9 }))
      .map(([page, size]) => `.page(${page}, ${size})`),
    fc.constantFrom('.page(page.no, page.size)', '.page(2, page.size)', '.first()', '.last()'),
  );
}

function includes(entity: EntityInfo, variable: string, depth: number): Text {
  const relations = [...entity.relations.values()];
  if (relations.length === 0) return fc.constant('');
  const relation = fc
    .constantFrom(...relations)
    .chain((each) => inclusion(each, variable, depth).map((text) => ({ name: each.name, text })));
  return fc
    .uniqueArray(relation, { minLength: 1, maxLength: 2, selector: ({ name }) => name })
    .map((all) => `.include(${variable}=>[${all.map(({ text }) => text).join(', ')}])`);
}

function inclusion(relation: RelationInfo, variable: string, depth: number): Text {
  const target = entityNamed(relation.entity);
  const inner = `${variable}${depth}`;
  const columns = columnsOf(target, inner).all.filter((path) => path.split('.').length === 2);
  const map = fc
    .uniqueArray(fc.constantFrom(...columns), { minLength: 1, maxLength: 3 })
    .map((paths) => `.map(${inner}=>[${paths.join(', ')}])`);
  const parts = [
    fc.option(filters(target, inner), { nil: '' }),
    fc.oneof(fc.constant(''), map),
    fc.option(sorts(target, inner), { nil: '' }),
    fc.oneof(
      { weight: 2, arbitrary: fc.constant('') },
      { weight: 1, arbitrary: cuts(inner, target) },
    ),
    depth < 2
      ? fc.oneof(
          { weight: 3, arbitrary: fc.constant('') },
          { weight: 1, arbitrary: includes(target, inner, depth + 1) },
        )
      : fc.constant(''),
  ];
  return fc.tuple(...parts).map((texts) => `${variable}.${relation.name}${texts.join('')}`);
}

function groupClauses(entity: EntityInfo): Text {
  const { integer, string, ...others } = expressionsOver(entity.name, 'p');
  const [decimal, boolean] = [typed(others.decimal), asCondition(others.boolean)];
  const keys = fc.uniqueArray(
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...columnsOf(entity, 'p').all) },
      { weight: 1, arbitrary: fc.oneof(boolean, integer) },
    ),
    { maxLength: 2 },
  );
  const aggregate = fc.oneof(
    fc.constantFrom('count()', 'count(1)'),
    fc.oneof(integer, decimal).map((each) => `sum(${each})`),
    fc.oneof(integer, decimal).map((each) => `avg(${each})`),
    fc.oneof(integer, string).map((each) => `min(${each})`),
    fc.oneof(decimal, string, boolean).map((each) => `max(${each})`),
    fc.oneof(integer, string).map((each) => `count(${each})`),
    fc.oneof(integer, string).map((each) => `count(distinct(${each}))`),
  );
  const shape = fc.record({
    keys,
    aggregates: fc.array(aggregate, { minLength: 1, maxLength: 2 }),
    filter: filters(entity, 'p'),
    having: fc.constantFrom(
      '',
      '.having(g=>count()>2)',
      '.having(g=>count()>i2)',
      '.having(g=>!(count()==i1))',
    ),
    isSorted: fc.boolean(),
    way: fc.constantFrom('', 'desc'),
    cut: fc.constantFrom('', '.page(1,3)', '.page(page.no, page.size)', '.first()', '.last()'),
  });
  return shape.map((group) => {
    const names = group.keys.map((_, index) => `k${index}`);
    const entries = [
      ...group.keys.map((key, index) => `k${index}: ${key}`),
      ...group.aggregates.map((each, index) => `a${index}: ${each}`),
    ];
    const sortKeys = ['count()', ...names.map((name) => `g.${name}`)];
    const sort = `.sort(g=>[${sortKeys.map((key) => `${group.way}(${key})`).join(', ')}])`;
    const tail = group.isSorted || group.cut !== '' ? sort + group.cut : '';
    return `.map(p=>({${entries.join(', ')}}))${group.filter}${group.having}${tail}`;
  });
}

function distinctClauses(entity: EntityInfo): Text {
  const value = valueOf(expressionsOver(entity.name, 'p'));
  const columns = fc.constantFrom(...columnsOf(entity, 'p').all);
  const shape = fc.record({
    values: fc.array(fc.oneof(columns, value), { minLength: 1, maxLength: 2 }),
    filter: filters(entity, 'p'),
    cut: fc.constantFrom('', '.page(1,5)', '.page(page.no, page.size)'),
  });
  return shape.map(({ values, filter, cut }) => {
    const entries = values.map((each, index) => `x${index}: ${each}`);
    const sort = `.sort(d=>[${values.map((_, index) => `d.x${index}`).join(', ')}])`;
    return `.distinct(p=>({${entries.join(', ')}}))${filter}${sort}${cut}`;
  });
}

function countClauses(entity: EntityInfo): Text {
  return fc
    .tuple(filters(entity, 'p'), fc.constantFrom('', '.page(1,5)', '.first()'))
    .map(([filter, cut]) => `.count()${filter}${cut}`);
}
