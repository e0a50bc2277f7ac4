/** Suites for views, for any database. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, ask, post } from '../support/program.js';
import { type Known, readingAttempts, undefinedAttempts, writingAttempts } from './attempts.js';
import type { ViewsFixture } from './views-fixture.js';

const options = { view: 'narrow' };

const shown = `('Spain','France','Ireland')`;
const knownRows = `SELECT
  (SELECT min(CustomerID) FROM Customers WHERE Country NOT IN ${shown}) AS "hiddenCustomer",
  (SELECT min(CustomerID) FROM Customers WHERE Country IN ${shown}) AS "shownCustomer",
  (SELECT min(OrderID) FROM Orders JOIN Customers USING (CustomerID) WHERE Customers.Country NOT IN ${shown}) AS "hiddenOrder",
  (SELECT min(OrderID) FROM Orders JOIN Customers USING (CustomerID) WHERE Customers.Country IN ${shown}) AS "shownOrder",
  (SELECT min(ProductID) FROM Products WHERE Discontinued) AS "hiddenProduct"`;

/** The parts of an answer that can be compared: without the request id. */
function comparable({ status, text }: Answer): string {
  return `${status} ${text.replace(/"requestId":"[^"]*",?/, '')}`;
}

function expectSame(under: Answer, absent: Answer): void {
  expect(comparable(under).slice(0, 400)).toBe(comparable(absent).slice(0, 400));
  expect(comparable(under) === comparable(absent)).toBe(true);
}

/** How often an explained statement has read the table with this alias. */
function readsOf(alias: string, explained: unknown): readonly number[] {
  if (typeof explained !== 'object' || explained === null) return [];
  const { Alias, table_name, r_loops, 'Actual Loops': loops = r_loops } = explained as Node;
  const own = Alias === alias || table_name === alias ? [Number(loops)] : [];
  return [...own, ...Object.values(explained).flatMap((part) => readsOf(alias, part))];
}

/** A part of an explanation by PostgreSQL or MariaDB. */
type Node = Readonly<Record<'Alias' | 'table_name' | 'r_loops' | 'Actual Loops', unknown>>;

/** Names that the view hides, in the form of a description or a plan. */
const hiddenNames = /Employees|LastName|Discount\b|"discount"|"price"/;

/** Declares the suites for the databases that `start` creates. */
export function describeViews(start: () => Promise<ViewsFixture>): void {
  let fixture: ViewsFixture;
  let known: Known;
  beforeAll(async () => {
    fixture = await start();
    [known] = (await fixture.sql(knownRows)) as [Known];
  });
  afterAll(() => fixture.stop());

  describe('a query under a view', () => {
    it.each(readingAttempts)('$query sees nothing hidden', async ({ query, data }) => {
      const under = await post(fixture.whole, '/execute', { query, data, options });
      expectSame(under, await post(fixture.absent, '/execute', { query, data }));
    });

    it.each(readingAttempts)('$query is described as if nothing was hidden', async ({ query }) => {
      for (const path of ['/metadata', '/model', '/parameters', '/constraints']) {
        const under = await post(fixture.whole, path, { query, options });
        expectSame(under, await post(fixture.absent, path, { query }));
      }
      const plan = await post(fixture.whole, '/plan', { query, options });
      if (plan.status === 200) expect(plan.text).not.toMatch(hiddenNames);
    });
  });

  it.each(undefinedAttempts)(
    'an expression without a finite result does not fail with or without the view: %s',
    async (query) => {
      for (const view of ['narrow', 'default']) {
        const answer = await post(fixture.whole, '/execute', { query, options: { view } });
        expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
      }
    },
  );

  describe('a slow condition', () => {
    it.each([
      ['Categories.filter(p=>p.products.count()>2).count()', 'Categories', 'p'],
      ['Categories.filter(p=>p.name=="x" || p.products.max(q=>q.id)>1)', 'Categories', 'p'],
      ['Categories.filter(p=>!(p.products.count()>2)).map(p=>p.name)', 'Categories', 'p'],
      ['Orders.filter(p=>p.details.count()>2).count()', 'Orders', 'o1'],
    ])(
      'is not evaluated on hidden rows, so its time tells nothing of them: %s',
      async (query, entity, alias) => {
        const body = { query, options: { ...options, analyze: true } };
        const { text } = await post(fixture.whole, '/explain', body);
        const all = await post(fixture.absent, '/execute', { query: `${entity}.count()` });
        const [{ count }] = all.json() as [{ count: number }];
        expect(count).toBeGreaterThan(1);
        expect(Math.max(...readsOf(alias, JSON.parse(text)))).toBe(count);
      },
    );
  });

  describe('the schema under a view', () => {
    it.each([
      '/schema',
      '/domain',
      '/entities',
      '/mappings',
      '/mappings/default',
      '/stages/default',
    ])('%s shows nothing hidden', async (path) => {
      const answer = await ask(fixture.whole, `${path}?view=narrow`);
      expect(answer.status).toBe(200);
      expect(answer.text).not.toMatch(hiddenNames);
    });

    it('has no excluded property', async () => {
      const answer = await ask(fixture.whole, '/entities/Customers?view=narrow');
      expect(answer.text).toContain('"phone"');
      expect(answer.text).not.toContain('"contact"');
      const mapped = await ask(fixture.whole, '/mappings/default/Products?view=narrow');
      expect(mapped.text).toContain('UnitsInStock');
      expect(mapped.text).not.toContain('UnitPrice');
    });

    it('exports what it shows', async () => {
      const under = await ask(fixture.whole, '/stages/default/export?view=narrow');
      const absent = await ask(fixture.absent, '/stages/default/export');
      expectSame(under, absent);
      expectSame(await ask(fixture.whole, '/stages/forced/export'), absent);
    });
  });

  describe('a write under a view', () => {
    it.each(writingAttempts)('$query changes nothing hidden', async ({ query, data }) => {
      const before = await hiddenRows();
      const given = { query, data: data(known) };
      const under = await post(fixture.whole, '/execute', { ...given, options });
      expectSame(under, await post(fixture.absent, '/execute', given));
      expect(await hiddenRows()).toEqual(before);
    });
  });

  describe('a transaction under a view', () => {
    it.each([
      [['Customers.count()', 'Orders.map(p=>({f:sum(p.freight)}))']],
      [['Orders.update()', 'Orders.filter(p=>p.id==id)']],
      [['Customers.map(p=>p.phone)', 'Employees.count()']],
    ])('of %j sees nothing hidden', async (queries) => {
      const data = { id: known.hiddenOrder, freight: 9 };
      const steps = queries.map((query) => ({ query, data }));
      const under = await post(fixture.whole, '/transaction', { steps, options });
      expectSame(under, await post(fixture.absent, '/transaction', { steps }));
    });
  });

  describe('a step of a transaction', () => {
    const steps = (view: string) => [{ query: 'Customers.count()', options: { view } }];

    it('cannot widen the view of its transaction', async () => {
      const wider = { steps: steps('default'), options };
      const answer = await post(fixture.whole, '/transaction', wider);
      expect([answer.status, answer.json()]).toMatchObject([
        400,
        { code: 'options-invalid', step: 0 },
      ]);
    });

    it.each([
      { steps: steps('narrow'), options },
      { steps: steps('narrow'), options: {} },
      { steps: [{ query: 'Customers.count()', options: { stage: 'forced' } }] },
      { steps: [{ query: 'Customers.count()' }], options: { stage: 'forced' } },
    ])('may repeat the view, and name one where the transaction names none: %j', async (body) => {
      const under = await post(fixture.whole, '/transaction', body);
      const absent = [{ query: 'Customers.count()' }];
      expectSame(under, await post(fixture.absent, '/transaction', absent));
    });
  });

  describe('a view that hides the primary key', () => {
    it.each(['first(p=>[p.name])', 'last(p=>[p.name])', 'page(1,9).map(p=>[p.name])'])(
      'does not order by it: %s',
      async (cut) => {
        const query = `Shippers.${cut}`;
        const under = await post(fixture.whole, '/execute', {
          query,
          options: { view: 'keyless' },
        });
        expect(under.status).toBe(200);
        const names = (under.json() as { name: string }[]).map(({ name }) => name);
        const all = await fixture.sql('SELECT CompanyName AS name FROM Shippers');
        const sorted = all.map((row) => (row as { name: string }).name).sort();
        const expected = cut.startsWith('last') ? sorted.reverse() : sorted;
        expect(names).toEqual(cut.startsWith('page') ? expected : expected.slice(0, 1));
      },
    );

    it('does not let an upsert find rows by the unique key instead', async () => {
      const data = { name: 'Speedy Express', phone: '555' };
      const body = { query: 'Shippers.upsert()', data, options: { view: 'keyless' } };
      const answer = await post(fixture.whole, '/execute', body);
      expect([answer.status, answer.json()]).toMatchObject([
        400,
        {
          code: 'wrong-arguments',
          detail: "'upsert' finds rows by their primary key, but entity 'Shippers' has none.",
        },
      ]);
    });
  });

  describe('an import under a view', () => {
    const importOrder = (path: string, customerId: string) => {
      const rows = [{ ...{ employeeId: 1, name: 'imported' }, customerId }];
      return post(fixture.whole, path, { entities: [{ entity: 'Orders', rows }] });
    };

    it.each([
      '/stages/default/import?view=customers',
      '/stages/default/import?view=masked',
      '/stages/customers/import',
    ])('stores no reference to rows that it hides: %s', async (path) => {
      const hidden = await importOrder(path, known.hiddenCustomer);
      const absent = await importOrder(path, 'NOONE');
      expect([hidden.status, hidden.json()]).toMatchObject([422, { code: 'import-invalid' }]);
      expect(comparable(absent)).toBe(comparable(hidden));
      const stored = await fixture.sql("SELECT 1 AS n FROM Orders WHERE ShipName = 'imported'");
      expect(stored).toEqual([]);
    });
  });

  it.each(['customers', 'masked'])(
    'under the view %s, a reference to a hidden row is one to a missing row',
    async (view) => {
      const row = (customerId: string) => ({ customerId, employeeId: 1, name: 'referring' });
      const one = (id: string) => ({ query: 'Orders.insert()', data: row(id) });
      const two = (id: string) => ({ query: 'Orders.bulkInsert()', data: [row(id), row(id)] });
      for (const write of [one, two]) {
        const [hidden, absent] = [
          await post(fixture.whole, '/execute', {
            ...write(known.hiddenCustomer),
            options: { view },
          }),
          await post(fixture.whole, '/execute', { ...write('NOONE'), options: { view } }),
        ];
        expect(hidden.status).toBe(409);
        expect(comparable(hidden)).toBe(comparable(absent));
      }
    },
  );

  describe('a view that hides a required property', () => {
    const upsert = (id: number) => {
      const data = { id, phone: '555' };
      const body = { query: 'Shippers.upsert()', data, options: { view: 'nameless' } };
      return post(fixture.whole, '/execute', body);
    };

    it('updates an existing row by an upsert', async () => {
      const found = await upsert(1);
      expect([found.status, found.json()]).toEqual([200, { id: 1, phone: '555' }]);
    });

    it('stores no new row, and does not name the property', async () => {
      const missing = await upsert(99_999);
      expect([missing.status, missing.json()]).toMatchObject([
        422,
        { code: 'not-null-violation', detail: 'A value that must not be null is null.' },
      ]);
    });
  });

  describe('a parameter of the URL that is given twice', () => {
    it.each([
      '/entities?view=narrow&view=default',
      '/entities?view=narrow&vie%77=default',
      '/stages/default/export?view=narrow&view=default',
      '/ping?format=beautiful&format=compact',
    ])('is refused: %s', async (path) => {
      const answer = await ask(fixture.whole, path);
      expect([answer.status, answer.json()]).toMatchObject([400, { code: 'parameter-repeated' }]);
    });
  });

  describe('a row that a view would not show', () => {
    const write = (query: string, data?: unknown) =>
      post(fixture.whole, '/execute', { query, data, options });

    it.each([
      ['Customers.insert()', { id: 'ZZZZA', name: 'x', country: 'Germany' }],
      ['Customers.upsert()', { id: 'ZZZZA', name: 'x', country: 'Germany' }],
      ['Customers.bulkInsert()', [{ id: 'ZZZZA', name: 'x', country: null }]],
      ['Products.insert()', { name: 'x', supplierId: 1, discontinued: true }],
    ])('is not stored by %s', async (query, data) => {
      const answer = await write(query, data);
      expect([answer.status, answer.json()]).toMatchObject([422, { code: 'row-outside-view' }]);
      const stored = await fixture.sql("SELECT 1 AS n FROM Customers WHERE CustomerID = 'ZZZZA'");
      expect(stored).toEqual([]);
    });

    it('cannot be created by updating a visible row', async () => {
      const { shownCustomer: id } = known;
      const byKey = await write('Customers.update()', { id, country: 'Germany' });
      const byFilter = await write('Customers.filter(p=>p.id==id).update({country:country})', {
        id,
        country: 'Germany',
      });
      const all = await write('Products.updateAll({discontinued:true})');
      for (const answer of [byKey, byFilter, all]) {
        expect([answer.status, answer.json()]).toMatchObject([422, { code: 'row-outside-view' }]);
      }
      const count = await write('Customers.filter(p=>p.id==id).count()', { id });
      expect(count.text).toBe('[{"count":1}]');
    });

    it('is reported only as a duplicate key', async () => {
      const { hiddenCustomer: id, hiddenOrder, shownCustomer } = known;
      const order = { id: hiddenOrder, customerId: shownCustomer, employeeId: 1, name: 'x' };
      const made = await write('Orders.insert()', order);
      expect(made.status).toBe(409);
      expect(comparable(await write('Orders.upsert()', order))).toBe(comparable(made));
      const data = { id, name: 'x', country: 'Spain' };
      const [inserted, merged] = [
        await write('Customers.insert()', data),
        await write('Customers.upsert()', data),
      ];
      expect(inserted.status).toBe(409);
      expect(comparable(merged)).toBe(comparable(inserted));
      const stored = await fixture.sql(
        `SELECT CompanyName AS name FROM Customers WHERE CustomerID = '${id}'`,
      );
      expect(stored).not.toEqual([{ name: 'x' }]);
    });

    it('cannot be referred to, like a row that does not exist', async () => {
      const data = (productId: number) => ({ orderId: known.shownOrder, productId, quantity: 1 });
      const hidden = await write('Orders.details.insert()', data(known.hiddenProduct));
      const absent = await write('Orders.details.insert()', data(99_999));
      expect(absent.status).toBe(409);
      expect(comparable(hidden)).toBe(comparable(absent));
    });
  });

  describe('a written row', () => {
    it('is returned as the view reads it', async () => {
      const data = { id: 'ZZZZB', name: 'Seen', country: 'Spain', phone: '555', contact: 'Secret' };
      const answer = await post(fixture.whole, '/execute', {
        query: 'Customers.insert()',
        data,
        options,
      });
      expect(answer.json()).toMatchObject({ id: 'ZZZZB', phone: 'none' });
      expect(answer.text).not.toContain('ecret');
      const stored = await fixture.sql(
        "SELECT Phone AS phone, ContactName AS contact FROM Customers WHERE CustomerID = 'ZZZZB'",
      );
      expect(stored).toEqual([{ phone: '555', contact: null }]);
    });

    it('is planned without hidden names', async () => {
      for (const query of [
        'Products.insert()',
        'Categories.upsert()',
        'Categories.update()',
        'Categories.filter(p=>p.id==1).update({name:name})',
        'Categories.deleteAll()',
      ]) {
        const plan = await post(fixture.whole, '/plan', { query, options });
        expect(plan.status).toBe(200);
        expect(plan.text).not.toContain('UnitPrice');
        const constraints = await post(fixture.whole, '/constraints', { query, options });
        expect(constraints.text).not.toContain('price');
      }
    });
  });

  /** All rows that the view hides. */
  async function hiddenRows(): Promise<readonly unknown[]> {
    const customers = `SELECT CustomerID FROM Customers WHERE Country NOT IN ${shown}`;
    const orders = `SELECT OrderID FROM Orders WHERE CustomerID IN (${customers})`;
    return Promise.all([
      fixture.digest('Customers', `CustomerID IN (${customers})`),
      fixture.digest('Orders', `OrderID IN (${orders})`),
      fixture.digest('"Order Details"', `OrderID IN (${orders})`),
      fixture.digest('Products', 'Discontinued'),
      fixture.digest('Employees', 'true'),
    ]);
  }
}
