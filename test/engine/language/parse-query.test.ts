import { describe, expect, test } from 'vitest';
import { parseQuery } from '../../../src/engine/language/parse-query.js';
import { limits } from './limits-for-tests.js';
import { withoutSpans } from './without-spans.js';

describe('queries', () => {
  const cases = [
    { text: 'Orders', entity: 'Orders', clauses: [] },
    { text: ' Orders ; ', entity: 'Orders', clauses: [] },
    { text: 'Orders.details', entity: 'Orders.details', clauses: [] },
    { text: 'Orders . details\n.first()', entity: 'Orders.details', clauses: ['first'] },
    { text: 'a.b.c.filter(p=>p.x).map(p=>p)', entity: 'a.b.c', clauses: ['filter', 'map'] },
    { text: '()=>Orders.filter(p=>p.id==1)', entity: 'Orders', clauses: ['filter'] },
    { text: '( ) =>\n Orders.take(1) /* c */ ;\n', entity: 'Orders', clauses: ['take'] },
  ];
  test.each(cases)('$text is an entity and its clauses', ({ text, entity, clauses }) => {
    const query = parseQuery(text, limits);
    expect(query.entity).toBe(entity);
    expect(query.clauses.map((clause) => clause.name)).toEqual(clauses);
  });

  test('white space and comments change nothing', () => {
    const plain = parseQuery('Orders.filter(p=>p.id==1).map(p=>[p.id,p.name])', limits);
    const spaced = parseQuery(
      ' Orders\r\n . filter ( p => p . id == 1 )/**/. map(( p )=>[ p.id , p.name ] ) ',
      limits,
    );
    expect(withoutSpans(spaced)).toEqual(withoutSpans(plain));
  });

  test('clauses and the entity have positions', () => {
    const query = parseQuery('Orders.details.filter (p=>1)', limits);
    expect(query.entitySpan).toEqual({ start: 0, end: 14 });
    expect(query.clauses[0]).toMatchObject({
      nameSpan: { start: 15, end: 21 },
      open: 23,
      span: { start: 15, end: 28 },
    });
  });

  test('a clause may have no argument or several', () => {
    const query = parseQuery('Products.first().page(1, size)', limits);
    expect(query.clauses.map((clause) => clause.arguments.length)).toEqual([0, 2]);
  });
});
