/** Random expressions of a type over the row of a variable, as texts, with parameters and nulls. */
import fc from 'fast-check';
import { type EntityInfo, entityNamed } from './evaluator/sample-domain.js';

type Text = fc.Arbitrary<string>;

/** What an expression may give. */
export interface Expressions {
  readonly integer: Text;
  readonly decimal: Text;
  readonly string: Text;
  readonly boolean: Text;
  readonly moment: Text;
}

/** How many relations to many an expression may go through, one inside the other. */
const LEVELS = 2;
const DEPTH = {
  maxDepth: 3,
  depthSize: 'small',
  depthIdentifier: fc.createDepthIdentifier(),
} as const;
const known = new Map<string, Expressions>();

/** Expressions over `variable`, a row of that entity. */
export function expressionsOver(entity: string, variable: string, level = 0): Expressions {
  const name = `${entity} ${variable} ${level}`;
  const found = known.get(name);
  if (found) return found;
  const made = make(entityNamed(entity), variable, level);
  known.set(name, made);
  return made;
}

/** Data for the parameters that expressions use; each may be null. */
export const randomData = fc.record({
  i1: fc.option(fc.integer({ min: 1, max: 100 }), { freq: 4 }),
  i2: fc.option(fc.integer({ min: 1, max: 9 }), { freq: 4 }),
  n1: fc.option(
    fc.integer({ min: -9900, max: 9900 }).map((cents) => cents / 100),
    { freq: 4 },
  ),
  s1: fc.option(fc.constantFrom('', 'a', 'London', 'é', '%', "O'", 'Portland', '東京'), {
    freq: 4,
  }),
  b1: fc.option(fc.boolean(), { freq: 4 }),
  d1: fc.option(fc.constantFrom('2021-03-14', '2023-06-01', '2025-11-02'), { freq: 4 }),
  d2: fc.option(
    fc.constantFrom('2021-03-14', '2023-06-01T12:30:00Z', '2025-11-02T00:00:00-05:00'),
    {
      freq: 4,
    },
  ),
  page: fc.record({ no: fc.integer({ min: 1, max: 4 }), size: fc.integer({ min: 0, max: 7 }) }),
  ids: fc.array(fc.option(fc.integer({ min: 1, max: 60 }), { freq: 8 }), { maxLength: 5 }),
  names: fc.option(fc.array(fc.constantFrom('London', 'OR', 'Japan', 'Dairy', '')), { freq: 5 }),
});

function make(entity: EntityInfo, variable: string, level: number): Expressions {
  const columns = columnsOf(entity, variable);
  const integerColumns =
    columns.integer.length > 0 ? columns.integer : [`length(${columns.string[0]})`];
  // A bare integer beside a parameter would make that one an integer, too.
  const decimals = [...columns.decimal, ...integerColumns.map((path) => `(${path}*1.0)`)];
  const join = (...parts: (string | Text)[]): Text =>
    fc
      .tuple(...parts.map((part) => (typeof part === 'string' ? fc.constant(part) : part)))
      .map((texts) => texts.join(''));
  // A parameter beside a date is one, and has no time of day.
  const instants = columns.moment.filter((path) => /\.(orderDate|birthDate|hireDate)$/.test(path));
  const related = level < LEVELS ? relatedOf(entity, variable, level) : undefined;
  const more = (of: ((of: Related) => Text[]) | undefined): Text[] =>
    related && of ? of(related) : [];
  const { integer, decimal, string, boolean, moment } = fc.letrec<
    Record<keyof Expressions, string>
  >((tie) => {
    const [int, dec, str, bool, mom] = [
      tie('integer'),
      tie('decimal'),
      tie('string'),
      tie('boolean'),
      tie('moment'),
    ];
    const comparison = fc.constantFrom('==', '!=', '<', '<=', '>', '>=');
    const equality = fc.constantFrom('==', '!=');
    const sameType = fc.oneof(
      join('(', int, comparison, int, ')'),
      join('(', int, comparison, fc.constantFrom('i1', 'i2'), ')'),
      join('(', dec, comparison, dec, ')'),
      join('(', str, comparison, str, ')'),
    );
    const textTest = fc.constantFrom('contains', 'startsWith', 'endsWith');
    return {
      integer: fc.oneof(
        DEPTH,
        fc.constantFrom(...integerColumns),
        fc.integer({ min: -3, max: 60 }).map((value) => (value < 0 ? `(${value})` : `${value}`)),
        join('(', int, fc.constantFrom('+', '-', '*', '&', '|', '^'), int, ')'),
        join('(', int, '%', fc.constantFrom('2', '3', '7', '(-4)'), ')'),
        join('(', int, fc.constantFrom('<<2', '>>1'), ')'),
        join('length(', str, ')'),
        join('indexOf(', str, ',', str, ')'),
        join(fc.constantFrom('floor', 'ceil', 'round', 'trunc', 'sign'), '(', dec, ')'),
        join('(', bool, '?', int, ':', int, ')'),
        join('nvl(', fc.constantFrom('i1', ...integerColumns), ',', int, ')'),
        join('(', fc.constantFrom('i2', ...integerColumns), ' ?? ', int, ')'),
        join('(', bool, '? i1 :', int, ')'),
        join('(-', int, ')'),
        ...(columns.moment.length > 0
          ? [join(fc.constantFrom('year', 'month', 'day', 'hour'), '(', mom, ')')]
          : []),
        ...more(({ rows }) => [join(rows, '.count()')]),
      ),
      decimal: fc.oneof(
        DEPTH,
        fc.constantFrom(...decimals, 'n1'),
        fc.constantFrom('0.5', '2.25', '19.99', '(-1.1)', '1e2', '100'),
        join('(', dec, fc.constantFrom('+', '-', '*'), dec, ')'),
        join('(', dec, '/', fc.constantFrom('2', '4', '5', '8', '10'), ')'),
        join('(', dec, '%', fc.constantFrom('3', '0.7', '2.5'), ')'),
        join('abs(', dec, ')'),
        join('round(', dec, ',1)'),
        join('power(', fc.constantFrom(...decimals), ',2)'),
        join('nvl(', dec, ',', dec, ')'),
        join('(', fc.constantFrom(...decimals), ' ?? ', dec, ')'),
        ...more(({ rows, body }) => [
          join(rows, '.sum(q=>', body.decimal, ')'),
          join(rows, '.max(q=>', body.decimal, ')'),
        ]),
      ),
      string: fc.oneof(
        DEPTH,
        fc.constantFrom(...columns.string, ...columns.string, 's1'),
        fc.constantFrom('""', '"London"', '"a%"', '"é"', '"OR"', '"陽子"', '"Z"'),
        join('(', fc.constantFrom(...columns.string), '+', str, ')'),
        join('("#"+', int, ')'),
        join('("#"+', dec, ')'),
        join(fc.constantFrom('lower', 'reverse'), '(', str, ')'),
        join(
          'substring(',
          str,
          ',',
          fc.constantFrom('1', '2', '4'),
          ',',
          fc.constantFrom('0', '1', '3'),
          ')',
        ),
        join('replace(', str, ',', fc.constantFrom('"a"', '"o"', '"é"'), ',', str, ')'),
        join('(', bool, '?', str, ':', str, ')'),
        join('nvl2(', int, ',', str, ',', str, ')'),
        ...more(({ rows, body }) => [join(rows, '.min(q=>', body.string, ')')]),
      ),
      boolean: fc.oneof(
        DEPTH,
        sameType,
        fc.constantFrom('true', 'false', 'b1', ...columns.boolean),
        fc.constantFrom(...columns.all).map((column) => `(${column}==null)`),
        fc.constantFrom(...columns.all).map((column) => `(${column}!=null)`),
        join('(', fc.constantFrom(...integerColumns), equality, fc.constantFrom('i1', 'i2'), ')'),
        join('(', fc.constantFrom(...columns.string, '"OR"'), equality, 's1)'),
        join('(', bool, '&&', bool, ')'),
        join('(', bool, '||', bool, ')'),
        join('!', bool),
        join('(', bool, equality, bool, ')'),
        join('(', bool, '?', bool, ':', bool, ')'),
        join('in(', int, ',', fc.constantFrom('ids', '[1,2,3]', '[]', '[5,null]', '[i1,9]'), ')'),
        join('in(', str, ',', fc.constantFrom('names', '["London","OR",s1]'), ')'),
        join('between(', int, ',', int, ',', int, ')'),
        join(textTest, '(', str, ',', str, ')'),
        join('includes(', fc.constantFrom(...columns.string), ',', str, ')'),
        join(fc.constantFrom('isEmpty', 'isNotEmpty', 'isNull', 'isNotNull'), '(', str, ')'),
        ...(columns.moment.length > 0
          ? [
              join('(', fc.constantFrom(...columns.moment), comparison, mom, ')'),
              join('(', fc.constantFrom(...columns.moment), equality, 'd1)'),
              ...instants.map((path) => join('(', path, comparison, 'd2)')),
            ]
          : []),
        ...more(({ rows, body }) => [join('exists(', rows, ', q=>', body.boolean, ')')]),
      ),
      moment: fc.oneof(
        DEPTH,
        fc.constantFrom(...(columns.moment.length > 0 ? columns.moment : ['d1'])),
        ...(columns.moment.length > 0
          ? [
              join(
                'addDay(',
                fc.constantFrom(...columns.moment),
                ',',
                fc.constantFrom('1', '(-30)', 'i2'),
                ')',
              ),
              join('nvl(', fc.constantFrom(...columns.moment), ',', mom, ')'),
              fc.constantFrom('"2023-06-01"', '"2021-12-31T23:59:59.999Z"'),
            ]
          : []),
      ),
    };
  });
  return { integer, decimal, string, boolean, moment };
}

interface Columns {
  readonly integer: readonly string[];
  readonly decimal: readonly string[];
  readonly string: readonly string[];
  readonly boolean: readonly string[];
  readonly moment: readonly string[];
  readonly all: readonly string[];
}

/** The paths to every property, through two relations to one at most. */
export function columnsOf(entity: EntityInfo, variable: string): Columns {
  const columns = { integer: [], decimal: [], string: [], boolean: [], moment: [] } as Record<
    keyof Omit<Columns, 'all'>,
    string[]
  >;
  const kinds = {
    integer: 'integer',
    decimal: 'decimal',
    string: 'string',
    boolean: 'boolean',
  } as const;
  const visit = (at: EntityInfo, path: string, depth: number): void => {
    for (const [name, type] of at.properties) {
      const kind = kinds[type as keyof typeof kinds] ?? 'moment';
      columns[kind].push(`${path}.${name}`);
    }
    if (depth === 2) return;
    for (const { name, isMany, entity: target } of at.relations.values()) {
      if (!isMany) visit(entityNamed(target), `${path}.${name}`, depth + 1);
    }
  };
  visit(entity, variable, 0);
  return { ...columns, all: Object.values(columns).flat() };
}

interface Related {
  /** `p.details`, or `p.details.filter(q=>…)`. */
  readonly rows: Text;
  readonly body: Expressions;
}

/** One relation to many, so that what is said of its rows fits them. */
function relatedOf(entity: EntityInfo, variable: string, level: number): Related | undefined {
  const relation = [...entity.relations.values()].find(({ isMany }) => isMany);
  if (!relation) return undefined;
  const path = `${variable}.${relation.name}`;
  const lazy = (type: keyof Expressions): Text =>
    fc.constant(null).chain(() => expressionsOver(relation.entity, 'q', level + 1)[type]);
  const body: Expressions = {
    integer: lazy('integer'),
    decimal: lazy('decimal'),
    string: lazy('string'),
    boolean: lazy('boolean'),
    moment: lazy('moment'),
  };
  const rows = fc.oneof(
    { weight: 2, arbitrary: fc.constant(path) },
    { weight: 1, arbitrary: body.boolean.map((condition) => `${path}.filter(q=>${condition})`) },
  );
  return { rows, body };
}
