/** No text of a request gets into the SQL, whatever the query and the text. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import '../../support/fixed-seed.js';
import {
  type Catalog,
  EngineError,
  type StatementPlan,
  parameterizeStatement,
} from '../../../src/engine/index.js';
import { catalogs, planOf } from '../golden/plans.js';
import { northwind } from '../schema/northwind.js';

/** Strings without lone surrogates and U+0000, with many characters that have a meaning in SQL. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }).map((value) => value.replaceAll('\0', '')),
  fc
    .array(
      fc.constantFrom(
        "'",
        '"',
        '\\',
        '$1',
        '?',
        '--',
        '/*',
        '*/',
        ';',
        '`',
        ' OR 1=1 ',
        '\u2028',
        '😀',
        'n',
      ),
    )
    .map((pieces) => pieces.join('')),
);

/** A condition on Customers that contains two strings. */
const condition = fc.letrec<{ any: Condition }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<Condition[]>(
      (p, a) => `${p}.country==${a}`,
      (p, a, b) => `${p}.name+${a}!=${b}`,
      (p, a) => `(${p}.region??${a})<${p}.name`,
      (p, a, b) => `(${p}.id==${a}?${b}:${p}.city)>=${a}`,
      (p, a, b) => `exists(${p}.orders,o=>o.city==${a}||o.customer.name!=${b})`,
      (p, a) => `${p}.orders.filter(o=>o.name==${a}).count()>1`,
      (p, a, b) => `${a}==${b}&&${p}.id!=null`,
    ),
    fc.tuple(tie('any'), tie('any')).map(
      ([left, right]): Condition =>
        (p, a, b) =>
          `(${left(p, a, b)}||!(${right(p, b, a)}))`,
    ),
  ),
})).any;

type Condition = (variable: string, first: string, second: string) => string;

/** A query that contains two strings. */
const query = fc
  .tuple(
    condition,
    condition,
    fc.constantFrom<Condition[]>(
      () => '',
      (p, a, b) => `.map(${p}=>({x:${p}.name+${a},y:${b}}))`,
      (p, a, b) => `.map(${p}=>({x:${p}.city+${a},n:count(1)})).having(q=>q.x!=${b})`,
      (p, a) => `.distinct(${p}=>({x:${a}+${p}.city})).sort(q=>desc(q.x))`,
      (p, a, b) => `.sort(${p}=>[${p}.name+${a},desc(${b})]).page(2,3)`,
      (p, a, b) =>
        `.include(${p}=>${p}.orders.filter(o=>o.city!=${a}).sort(o=>o.name+${b}).take(2))`,
    ),
  )
  .map(
    ([first, second, rest]) =>
      (a: string, b: string) =>
        `Customers.filter(p=>${first('p', a, b)}).filter(r=>${second('r', b, a)})${rest('p', a, b)}`,
  );

describe.each(Object.entries(catalogs))('the SQL of %s', (_, catalog) => {
  test('is the same whatever the strings in the expression are', () => {
    fc.assert(
      fc.property(query, text, text, (make, first, second) => {
        // Two equal strings may share a placeholder; two different ones never do.
        fc.pre(first !== second);
        const written = textsOf(catalog, make(JSON.stringify(first), JSON.stringify(second)));
        expect(written).toEqual(textsOf(catalog, make('"a"', "'b'")));
      }),
      { numRuns: 300 },
    );
  });

  test('is the same whatever the data are', () => {
    fc.assert(
      fc.property(query, text, text, (make, x, y) => {
        const expression = make('x', 'y');
        const given = catchBind(() => planOf(catalog, expression, { x, y }).plan.root);
        const other = catchBind(() => planOf(catalog, expression, { x: 'a', y: 'b' }).plan.root);
        expect(given).toEqual(other);
      }),
      { numRuns: 200 },
    );
  });

  test('contains only keywords, names of the schema, placeholders and numbers', () => {
    fc.assert(
      fc.property(query, text, text, (make, first, second) => {
        for (const sql of textsOf(catalog, make(JSON.stringify(first), JSON.stringify(second)))) {
          const strange = tokensOf(sql).filter((token) => !isExpected(token));
          expect(strange).toEqual([]);
        }
      }),
      { numRuns: 200 },
    );
  });

  test('never contains keys of a map that are not plain names', () => {
    const key = text.filter((name) => name !== '' && !name.startsWith('__'));
    fc.assert(
      fc.property(key, (name) => {
        const quote = catalog === catalogs.mysql ? '`' : '"';
        const alias = /^[A-Za-z_$][\w$]{0,62}$/.test(name) ? name : '__c0';
        const quoted = quote + alias + quote;
        const [sql] = textsOf(catalog, `Shippers.map(p=>({${JSON.stringify(name)}:p.id}))`);
        expect(sql).toBe(`SELECT s.ShipperID AS ${quoted} FROM Shippers s`);
      }),
    );
  });
});

test('a string arrives unchanged as the value of its placeholder', () => {
  fc.assert(
    fc.property(text, text, (first, second) => {
      const expression = `Shippers.filter(p=>p.name==${JSON.stringify(first)}&&p.phone!=x)`;
      const { plan, values } = planOf(catalogs.postgresql, expression, { x: second });
      expect(parameterizeStatement(plan.root, values, []).parameters).toEqual([first, second]);
    }),
  );
});

function textsOf(catalog: Catalog, expression: string): string[] {
  return flatten(planOf(catalog, expression).plan.root);
}

function flatten(statement: StatementPlan): string[] {
  return [statement.text, ...statement.includes.flatMap((each) => flatten(each.statement))];
}

/** The statements, or the error of a query whose strings cannot be parameters together. */
function catchBind(plan: () => StatementPlan): unknown {
  try {
    return flatten(plan());
  } catch (error) {
    if (!(error instanceof EngineError) || error.code === 'parameter-type') throw error;
    return error.message;
  }
}

function tokensOf(sql: string): string[] {
  return sql.match(/"(?:[^"]|"")*"|`(?:[^`]|``)*`|'[^']*'|\$?\w+|[^\s\w]/g) ?? [];
}

const names = northwind.schema.mappings.flatMap(({ entities }) =>
  entities.flatMap(({ mapping, properties }) => [
    mapping,
    ...properties.flatMap((property) => [property.name, property.mapping]),
  ]),
);
const ours = [
  '__id',
  '__row',
  '__c0',
  'ServiceParentId',
  'x',
  'y',
  'n',
  'k',
  'j',
  't',
  "'$[*]'",
  "'$'",
];
const words =
  `SELECT DISTINCT FROM WHERE AND OR NOT IS NULL IN AS ON INNER LEFT JOIN GROUP BY HAVING ORDER
  DESC LIMIT OFFSET CASE WHEN THEN ELSE END COALESCE EXISTS COUNT CONCAT CAST CONVERT CHAR VARCHAR unnest text
  JSON_TABLE COLUMNS PATH ROW_NUMBER OVER PARTITION COLLATE C utf8mb4_0900_bin
  USING utf8mb4`.split(/\s+/);
const known: ReadonlySet<string> = new Set([...names, ...ours, ...words]);

function isExpected(token: string): boolean {
  const bare = token.replace(/^(["`])(.*)\1$/s, '$2');
  return known.has(bare) || /^(\$\d+|\d+|[a-z]\d*|[.,()=<>|?:*[\]])$/.test(token);
}
