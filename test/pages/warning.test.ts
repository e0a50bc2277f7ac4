/** A warning is sent with a page whose sort is not unique. */
import { expect, test } from 'vitest';
import { describeStock, execute, type Stock } from './stock.js';

describeStock('the warning of a page', (stock: Stock) => {
  const warningOf = async (query: string, options = {}) => {
    const answer = await execute(stock.viewed, query, { options });
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
    return answer.headers.get('rowgate-warning');
  };

  test.each([
    ['Item.sort(p=>p.name).page(1, 2)'],
    ['Item.sort(p=>[p.shelf, p.id+0]).page(1, 2)'],
    ['Note.page(1, 1)'],
    ['Note.sort(p=>p.text).page(1, 1)'],
    ['Price.sort(p=>p.day).page(1, 2)'],
    ['Price.sort(p=>p.item.id).page(1, 2)'],
    ['Item.distinct(p=>[p.name, p.shelf]).sort(p=>p.name).page(1, 2)'],
    ['Item.map(p=>({s: p.shelf, n: count()})).sort(p=>p.n).page(1, 2)'],
    ['Item.filter(p=>p.id<3).include(p=>p.prices.sort(q=>q.amount).page(1, 2))'],
  ])('is sent: %s', async (query) => {
    expect(await warningOf(query)).toMatch(/^sort-not-unique;detail="[^"]+"$/);
  });

  test.each([
    ['Item.page(1, 2)'],
    ['Item.sort(p=>[p.name, desc(p.id)]).page(1, 2)'],
    ['Price.sort(p=>[p.itemId, p.day]).page(1, 2)'],
    ['Item.sort(p=>p.name).take(2)'],
    ['Item.sort(p=>p.name).first()'],
    ['Item.filter(p=>p.id<9).sort(p=>p.name)'],
    ['Item.sort(p=>p.name).page(1, 2).count()'],
    ['Item.sort(p=>p.name).after(cursor).take(2)'],
    ['Item.distinct(p=>p.name).sort(p=>p.name).page(1, 2)'],
    ['Item.map(p=>({s: p.shelf, n: count()})).sort(p=>[p.n, p.s]).page(1, 2)'],
    ['Item.map(p=>({n: count()})).page(1, 2)'],
    ['Item.map(p=>({s: p.shelf, n: count()})).page(1, 2)'],
    ['Item.distinct(p=>[p.name, p.shelf]).page(1, 2)'],
    ['Item.distinct(p=>[p.name, p.id]).sort(p=>p.id).page(1, 2)'],
    ['Item.filter(p=>p.id<3).include(p=>p.prices.page(1, 2))'],
  ])('is not sent: %s', async (query) => {
    expect(await warningOf(query)).toBeNull();
  });

  test('is sent if a view hides the key', async () => {
    expect(await warningOf('Item.sort(p=>p.id).page(1, 2)', { view: 'keyless' })).not.toBeNull();
    const refused = { options: { view: 'keyless' } };
    const answer = await execute(stock.viewed, 'Item.after(cursor).take(1)', refused);
    expect([answer.status, answer.json()]).toMatchObject([400, { code: 'wrong-arguments' }]);
  });
});
