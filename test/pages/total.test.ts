/** `options.count`: a header has the number of rows without the page. */
import { expect, test } from 'vitest';
import { describeStock, execute, ITEMS, type Stock } from './stock.js';

const counted = { options: { count: true } };

describeStock('the total number of rows', (stock: Stock) => {
  const total = async (query: string, more: object = {}, headers = {}) => {
    const answer = await execute(stock.program, query, { ...counted, ...more }, headers);
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
    return { total: answer.headers.get('x-total-count'), text: answer.text };
  };

  test.each([
    ['Item.page(2, 10)', {}, ITEMS, 10],
    ['Item.page(n, size)', { n: 20, size: 10 }, ITEMS, 0],
    ['Item.filter(p=>p.shelf==s).sort(p=>p.name).take(2)', { s: 3 }, 20, 2],
    ['Item.filter(p=>p.name==n).take(2)', { n: null }, 27, 2],
    ['Item.filter(p=>p.name==null)', {}, 27, 27],
    ['Item.filter(p=>p.id==0).first()', {}, 0, 0],
    ['Item.distinct(p=>p.shelf).sort(p=>p.shelf).page(1, 2)', {}, 7, 2],
    ['Item.map(p=>({s: p.shelf, n: count()})).sort(p=>p.s).page(1, 3)', {}, 7, 3],
    ['Item.map(p=>({s: p.shelf, n: count()})).having(p=>p.n>19).sort(p=>p.s).take(1)', {}, 4, 1],
    ['Price.map(p=>p.item.name).page(1, 5)', {}, 100, 5],
    ['Item.include(p=>p.prices.page(1, 1)).page(1, 4)', {}, ITEMS, 4],
    ['Item.last()', {}, ITEMS, 1],
    ['Item.count()', {}, 1, 1],
    ['Item.filter(p=>p.shelf==s).count()', { s: 3 }, 1, 1],
    ['Item.distinct(p=>p.shelf).count()', {}, 1, 1],
    ['Item.map(p=>({s: p.shelf, n: count()})).having(p=>p.n>m).count()', { m: 19 }, 1, 1],
    ['Item.map(p=>({n: count()}))', {}, 1, 1],
  ])('of %s with %j is %d', async (query, data, expected, rows) => {
    const answer = await total(query, { data });
    expect(answer.total).toBe(String(expected));
    expect(JSON.parse(answer.text)).toHaveLength(rows);
  });

  test('is in the header for every format, and if the options are a string', async () => {
    const text = { options: '{"count": true}' };
    for (const accept of ['application/json', 'application/x-ndjson', 'text/csv']) {
      expect((await total('Item.page(1, 3)', text, { accept })).total).toBe(String(ITEMS));
    }
  });

  test('is sent before the first row of a streamed answer', async () => {
    const query = 'Item.map(p=>({id: p.id, long: rpad("x", 20000, "y")}))';
    const answer = await total(query);
    expect(answer.total).toBe(String(ITEMS));
    expect(JSON.parse(answer.text)).toHaveLength(ITEMS);
  });

  test('of streamed answers does not wait for a connection that their rows hold', async () => {
    const query = 'Item.map(p=>({id: p.id, long: rpad("x", 20000, "y")}))';
    const asked = Array.from({ length: 12 }, () => total(query));
    for (const answer of await Promise.all(asked)) {
      expect(answer.total).toBe(String(ITEMS));
      expect(JSON.parse(answer.text)).toHaveLength(ITEMS);
    }
  });

  test('counts what the view shows, and can be read by scripts of other origins', async () => {
    const more = { options: { count: true, view: 'few' } };
    const headers = { origin: 'https://page.example' };
    const answer = await execute(stock.viewed, 'Item.page(1, 1)', more, headers);
    expect(answer.headers.get('x-total-count')).toBe('2');
    expect(answer.headers.get('access-control-expose-headers')).toContain('x-total-count');
  });

  test('does not count against the limit of rows', async () => {
    const answer = await execute(stock.viewed, 'Item.page(1, 1)', counted);
    expect(answer.headers.get('x-total-count')).toBe(String(ITEMS));
    const refused = await execute(stock.viewed, 'Item', counted);
    expect([refused.status, refused.json()]).toMatchObject([422, { code: 'rows-over-limit' }]);
  });

  test('does not count as a separate read for listeners', async () => {
    const seen = async () => {
      const answer = await execute(stock.viewed, 'Note.filter(p=>p.text=="seen").count()');
      return (answer.json() as readonly { readonly count: number }[])[0]?.count ?? 0;
    };
    const before = await seen();
    const answer = await execute(stock.viewed, 'Price.take(2)', counted);
    expect(answer.headers.get('x-total-count')).toBe('100');
    expect(await seen()).toBe(before + 1);
  });

  test.each([
    ['Item.page(n, 1)', { n: 0 }, 'parameter-type'],
    ['Item.filter(p=>p.id==i)', {}, 'parameter-missing'],
    ['Item.filter(p=>p.id + 9223372036854775807 > 0)', {}, 'value-out-of-range'],
    ['Item.fitler(p=>p.id==1)', {}, 'unknown-clause'],
  ])('is absent if the query fails: %s', async (query, data, code) => {
    const answer = await execute(stock.program, query, { ...counted, data });
    expect([answer.status, answer.json()]).toMatchObject([400, { code }]);
    expect(answer.headers.get('x-total-count')).toBeNull();
  });

  test('is refused for writes, and if the option is not a boolean', async () => {
    for (const [query, options] of [
      ['Note.insert()', { count: true }],
      ['Note', { count: 1 }],
    ] as const) {
      const answer = await execute(stock.program, query, { options, data: { text: 'x' } });
      expect([answer.status, answer.json()]).toMatchObject([400, { code: 'options-invalid' }]);
    }
  });

  test('is absent if it is not requested', async () => {
    const answer = await execute(stock.program, 'Item', { options: { count: false } });
    expect([answer.status, answer.headers.get('x-total-count')]).toEqual([200, null]);
  });
});
