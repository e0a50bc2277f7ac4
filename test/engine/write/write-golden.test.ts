/**
 * Queries that write, with the statements that the plan shows in both dialects, each before those of
 * its includes. `UPDATE_GOLDEN=1` writes the current statements, for a person to review.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  type CompiledQuery,
  compileQuery,
  createCatalog,
  describePlan,
  loadSchema,
  type PlanNode,
} from '../../../src/engine/index.js';
import { northwindDocument } from '../schema/northwind.js';

interface WriteGolden {
  readonly comment: string;
  readonly query: string;
  /** The properties in the data, if an update sets only those. */
  readonly present?: readonly string[];
  readonly postgresql?: readonly string[];
  readonly mysql?: readonly string[];
}

const file = new URL('./write-golden.json', import.meta.url);
const isUpdate = process.env['UPDATE_GOLDEN'] === '1';
const limits = { expressionLengthMax: 65_536, nestingMax: 64, includeDepthMax: 8 };
const catalogs = { postgresql: catalogOf('PostgreSQL'), mysql: catalogOf('MySQL') };
const cases: readonly WriteGolden[] = JSON.parse(readFileSync(file, 'utf8'));

if (isUpdate) writeFileSync(file, `${JSON.stringify(cases.map(settle), null, 2)}\n`);

describe('the statements of writes', () => {
  test.skipIf(isUpdate).each(cases)('$comment', (golden) => {
    expect(settle(golden)).toEqual(golden);
  });

  test.each([
    ['Orders.delete().filter(p=>p.city==undefined)', 'Orders.delete().filter(p=>p.city==null)'],
    ['Orders.deleteAll().filter(p=>p.id==id)', 'Orders.delete().filter(p=>p.id==id)'],
    [
      'Orders.delete().filter(p=>includes(p.id,[1,2]))',
      'Orders.delete().filter(p=>in(p.id,[1,2]))',
    ],
    [
      'Products.updateAll({name:name}).filter(p=>p.category.name==c)',
      'Products.update({name:name}).filter(p=>p.category.name==c)',
    ],
    [
      'Orders.filter(p=>p.id==id).deleteAll().include(p=>p.details)',
      'Orders.filter(p=>p.id==id).delete().include(p=>p.details)',
    ],
  ])('of %s are those of %s', (all, filtered) => {
    for (const dialect of ['postgresql', 'mysql'] as const) {
      expect(textsOf(planOf(dialect, all))).toEqual(textsOf(planOf(dialect, filtered)));
    }
  });

  test('are not made for an include of a path, for which there is a hint', () => {
    expect(() => planOf('postgresql', 'Orders.details.include(p=>p.product.category)')).toThrow(
      expect.objectContaining({ hint: 'Write include(p=>p.product.include(q=>q.category)).' }),
    );
  });

  test('contain no text of the query', () => {
    const query = 'Orders.update({name: "<text>", freight: 77.5}).filter(p=>p.city=="<other>")';
    const texts = textsOf(planOf('postgresql', query)).join();
    expect(texts).not.toContain('<');
  });
});

function settle({ comment, query, present }: WriteGolden): WriteGolden {
  return {
    comment,
    query,
    ...(present && { present }),
    postgresql: textsOf(planOf('postgresql', query, present)),
    mysql: textsOf(planOf('mysql', query, present)),
  };
}

function planOf(
  dialect: keyof typeof catalogs,
  expression: string,
  present?: readonly string[],
): CompiledQuery {
  return compileQuery(catalogs[dialect], {
    expression,
    stage: 'default',
    view: 'default',
    limits,
    ...(present && { presentProperties: present }),
  });
}

function textsOf(plan: CompiledQuery): string[] {
  const visit = ({ sentence, children = [] }: PlanNode): string[] => [
    sentence,
    ...children.flatMap(visit),
  ];
  return visit(describePlan(plan));
}

function catalogOf(dialect: string) {
  const text = JSON.stringify(northwindDocument()).replaceAll('"PostgreSQL"', `"${dialect}"`);
  return createCatalog(loadSchema(JSON.parse(text)));
}
