/** `after(cursor)`: the pages together contain each row once, in the order of the sort. */
import { expect, test } from 'vitest';
import { blockOf } from '../docs/blocks.js';
import { post, type Program } from '../support/program.js';
import { describeStock, execute, ITEMS, type Stock } from './stock.js';

interface Page {
  readonly rows: readonly unknown[];
  readonly next: string | undefined;
}

const LINK = /^<execute>; rel="next"; cursor="([\w-]+)"$/;

async function pageOf(program: Program, query: string, data: object, more = {}): Promise<Page> {
  const answer = await execute(program, query, { data, ...more });
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  const link = answer.headers.get('link');
  if (link !== null) expect(link).toMatch(LINK);
  return { rows: answer.json() as readonly unknown[], next: LINK.exec(link ?? '')?.[1] };
}

/** The rows of all pages, one page after another. */
async function pagesOf(program: Program, query: string, size: number, more = {}) {
  const rows: unknown[] = [];
  let cursor: string | null = null;
  for (;;) {
    const page: Page = await pageOf(program, query, { cursor, size, x: 0.5, name: null }, more);
    rows.push(...page.rows);
    expect(page.rows.length <= size).toBe(true);
    if (page.next === undefined) return rows;
    expect(page.rows).toHaveLength(size);
    cursor = page.next;
  }
}

describeStock('pages after a cursor', (stock: Stock) => {
  test.each([
    ['Item', 'id'],
    ['Item', 'desc(p.id)'],
    ['Item', 'p.shelf', 'p.id'],
    ['Item', 'desc(p.shelf)', 'desc(p.id)'],
    ['Item', 'p.name', 'p.id'],
    ['Item', 'desc(p.name)', 'desc(p.id)'],
    ['Item', 'p.weight', 'desc(p.seen)', 'desc(p.id)'],
    ['Item', 'desc(p.ratio)', 'p.packed', 'p.id'],
    ['Item', 'p.seen', 'desc(p.weight)', 'desc(p.id)'],
    ['Item', 'p.gauge', 'p.id'],
    ['Item', 'p.weight/7', 'p.id'],
    ['Item', 'lower(p.name)', 'desc(p.name)', 'desc(p.id)'],
    ['Item', 'p.ratio * x', 'p.id'],
    ['Item', 'concat(toJson(x), p.name)', 'p.id'],
    ['Item', 'p.shelf==3', 'desc(p.shelf>4)', 'desc(p.id)'],
    ['Price', 'p.item.name', 'desc(p.amount)', 'desc(p.day)', 'desc(p.itemId)'],
    ['Price', 'p.amount', 'p.day', 'p.itemId'],
  ])('contain each row of %s once, sorted by %s %s %s %s', async (entity, ...keys) => {
    const given = keys.map((key) => (key === 'id' ? 'p.id' : key));
    const whole = `${entity}.sort(p=>[${given.join(', ')}])`;
    const expected = await rowsIn(stock.program, whole);
    // Rowgate adds the last keys itself, to make the sort unique.
    const own = given.filter((key) => !/\.(id|day|itemId)\)?$/.test(key));
    const sort = own.length > 0 ? `.sort(p=>[${own.join(', ')}])` : '.sort(p=>p.id)';
    const isOther = own.length === 0 && given[0] !== 'p.id';
    const paged = `${entity}${isOther ? '.sort(p=>desc(p.id))' : sort}.after(cursor).take(size)`;
    for (const size of [1000, 30]) {
      expect(await pagesOf(stock.program, paged, size)).toEqual(expected);
    }
  });

  const rowsIn = async (program: Program, query: string, more = {}) =>
    (await pageOf(program, query, { x: 0.5 }, more)).rows;

  test.each([
    ['Item.distinct(p=>[p.name, p.shelf]).sort(p=>p.name)', 'p.name, p.shelf'],
    ['Item.distinct(p=>p.weight)', 'p.weight'],
    ['Item.distinct(p=>({d: date("2024-01-01"), w: p.weight, x: p.id%5}))', 'p.w, p.x'],
    ['Item.map(p=>({one: 1, s: p.shelf, n: count()}))', 'p.s'],
    ['Item.distinct(p=>[p.gauge, p.shelf])', 'p.gauge, p.shelf'],
    ['Item.map(p=>({g: p.gauge, s: p.shelf, n: count()}))', 'p.g, p.s'],
    ['Item.map(p=>({s: p.name, n: count()})).sort(p=>desc(count()))', 'desc(p.n), desc(p.s)'],
    ['Item.map(p=>({s: p.shelf+1, w: sum(p.weight)})).sort(p=>p.w)', 'p.w, p.s'],
    ['Item.filter(p=>p.shelf>2 && p.name!=name).map(p=>p.id).sort(p=>desc(p.packed))', undefined],
    ['Item.map(p=>[p.id]).sort(p=>p.name).include(p=>p.prices.sort(q=>q.day).take(1))', undefined],
  ])('contain each row of %s once', async (query, order) => {
    const sorted =
      order === undefined ? query : query.replace(/\.sort.*|$/, `.sort(p=>[${order}])`);
    const unlimited = order === undefined ? `${query}.after(cursor).take(1000)` : sorted;
    const expected = (await pageOf(stock.program, unlimited, { name: null })).rows;
    expect(expected.length).toBeGreaterThan(5);
    const paged = `${query}.after(cursor).take(size)`;
    expect(await pagesOf(stock.program, paged, 4)).toEqual(expected);
  });

  test('use the values that a view shows', async () => {
    const query = 'Item.sort(p=>p.name)';
    const more = { options: { view: 'nameless' } };
    const paged = await pagesOf(stock.viewed, `${query}.after(cursor).take(size)`, 50, more);
    expect(paged).toHaveLength(ITEMS);
    expect(paged.map((row) => (row as { id: number }).id)).toEqual(
      Array.from({ length: ITEMS }, (_, index) => index + 1),
    );
    const few = { options: { view: 'few', count: true } };
    const page = await execute(stock.viewed, `${query}.after(cursor).take(1)`, few);
    expect(page.headers.get('x-total-count')).toBe('2');
    expect(page.headers.get('link')).toMatch(LINK);
  });

  test('start from the first row without a cursor, and end without a link', async () => {
    const query = 'Item.sort(p=>p.id).map(p=>p.id).after(page.cursor).take(100)';
    const first = await pageOf(stock.program, query, {});
    expect(first.rows).toEqual((await pageOf(stock.program, query, { page: null })).rows);
    const second = await pageOf(stock.program, query, { page: { cursor: first.next } });
    expect([second.rows[0], second.rows.length, second.next]).toEqual([{ id: 101 }, 37, undefined]);
  });

  test.each(['constructor', 'toString', '__proto__', 'page.constructor'])(
    'start from the first row if the data has no %s of its own',
    async (name) => {
      const query = `Item.map(p=>p.id).after(${name}).take(2)`;
      for (const data of [undefined, {}, { page: {} }]) {
        const answer = await execute(stock.program, query, { data });
        expect([answer.status, answer.json()]).toEqual([200, [{ id: 1 }, { id: 2 }]]);
      }
    },
  );

  test('have a link in every format', async () => {
    const query = 'Item.map(p=>[p.id, p.name]).after(cursor).take(3)';
    for (const accept of ['application/json', 'application/x-ndjson', 'text/csv']) {
      const answer = await execute(stock.program, query, {}, { accept });
      expect([answer.status, answer.headers.get('link')]).toEqual([
        200,
        expect.stringMatching(LINK),
      ]);
    }
  });

  test('have a link as docs/http.md shows it, whose cursor has the sort keys', async () => {
    const query = 'Item.sort(p=>p.weight).filter(p=>p.weight>0).after(cursor).take(3)';
    const [, value = ''] = /^Link: (.*)$/.exec(blockOf('docs/http.md', 'Link:')) ?? [];
    const { next } = await pageOf(stock.program, query, {});
    for (const cursor of [LINK.exec(value)?.[1], next]) {
      const text = Buffer.from(cursor ?? '', 'base64url').toString();
      expect(text).toMatch(/^[0-9a-f]{8}\[[\d.]+,\d+\]$/);
    }
  });

  test.each([
    ['of another sort', 'Item.sort(p=>p.name).after(cursor).take(2)'],
    ['of another direction', 'Item.sort(p=>desc(p.id)).after(cursor).take(2)'],
    ['of another entity', 'Note.distinct().after(cursor).take(2)'],
  ])('refuse a cursor %s', async (_, query) => {
    const { next } = await pageOf(stock.program, 'Item.sort(p=>p.id).after(cursor).take(2)', {});
    const answer = await execute(stock.program, query, { data: { cursor: next } });
    expect([answer.status, answer.json()]).toMatchObject([
      400,
      { code: 'parameter-type', place: 'data.cursor' },
    ]);
  });

  test.each(['', 'abc', '????', 7, {}, [], [1]])('refuse the cursor %j', async (cursor) => {
    const answer = await execute(stock.program, 'Item.after(cursor).take(2)', { data: { cursor } });
    expect([answer.status, answer.json()]).toMatchObject([400, { code: 'parameter-type' }]);
  });

  test.each([
    ['Item.after(cursor)', 'wrong-arguments'],
    ['Item.after(cursor).page(1, 2)', 'wrong-arguments'],
    ['Item.after("x").take(1)', 'wrong-arguments'],
    ['Item.after().take(1)', 'wrong-arguments'],
    ['Item.filter(p=>p.name==cursor).after(cursor).take(1)', 'wrong-arguments'],
    ['Note.after(cursor).take(1)', 'wrong-arguments'],
    ['Item.after(cursor).take(1).count()', 'duplicate-clause'],
    ['Item.include(p=>p.prices.after(cursor).take(1))', 'unknown-clause'],
  ])('refuse %s', async (query, code) => {
    const answer = await execute(stock.program, query, { data: { cursor: null } });
    expect([answer.status, answer.json()]).toMatchObject([400, { code }]);
  });

  test('have one described parameter', async () => {
    const query = 'Item.sort(p=>p.name).after(cursor).take(size)';
    const parameters = [
      { name: 'cursor', type: 'string' },
      { name: 'size', type: 'integer' },
    ];
    const described = (await post(stock.program, '/parameters', { query })).json();
    expect(described).toEqual(expect.arrayContaining(parameters));
    expect(described).toHaveLength(2);
    const metadata = (await post(stock.program, '/metadata', { query })).json();
    expect(metadata).toMatchObject({ parameters });
    const model = (await post(stock.program, '/model', { query })).json() as readonly object[];
    expect(model).toHaveLength(8);
    const answer = await execute(stock.program, query);
    expect(answer.json()).toMatchObject({ code: 'parameter-missing', place: 'data.size' });
  });

  test('are read by the steps of a transaction', async () => {
    const query = 'Item.map(p=>p.id).after(cursor).take(2)';
    const { next } = await pageOf(stock.program, query, {});
    const step = { query, data: { cursor: next } };
    const answer = await post(stock.program, '/transaction', [step]);
    expect([answer.json(), answer.headers.get('link')]).toEqual([[[{ id: 3 }, { id: 4 }]], null]);
  });

  test('of any size are answered beside others as alone', async () => {
    const query =
      'Item.sort(p=>p.name).map(p=>({id: p.id, long: rpad("x", 3000, "y")})).after(cursor).take(size)';
    const { next } = await pageOf(stock.program, query, { size: 7 });
    // The larger ones have more bytes than an answer that shares a connection.
    const data = [1, 3, 40, 100, ITEMS].flatMap((size) => [{ size }, { size, cursor: next }]);
    const alone: Page[] = [];
    for (const each of data) alone.push(await pageOf(stock.program, query, each));
    const many = Array.from({ length: 6 }, () => data).flat();
    const together = await Promise.all(many.map((each) => pageOf(stock.program, query, each)));
    for (const [index, page] of together.entries()) {
      expect(page).toEqual(alone[index % alone.length]);
    }
  });

  test('refuse more rows than are buffered', async () => {
    const query = 'Item.map(p=>({id: p.id, long: rpad("x", 2000, "y")})).after(cursor).take(size)';
    const small = await execute(stock.viewed, query, { data: { size: 20 } });
    expect([small.status, small.headers.get('link')]).toEqual([200, expect.stringMatching(LINK)]);
    const answer = await execute(stock.viewed, query, { data: { size: 60 } });
    expect([answer.status, answer.json()]).toMatchObject([422, { code: 'answer-too-large' }]);
  });

  test('refuse keys that are too long for a header', async () => {
    const query =
      'Item.sort(p=>rpad("", 9000, concat("x", p.id))).map(p=>p.id).after(cursor).take(1)';
    const answer = await execute(stock.program, query);
    expect([answer.status, answer.json()]).toMatchObject([400, { code: 'text-too-long' }]);
  });
});
