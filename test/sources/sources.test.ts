import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, post } from '../support/program.js';
import { type SourcesFixture, startSourcesFixture } from './sources-fixture.js';

let fixture: SourcesFixture;
beforeAll(async () => {
  fixture = await startSourcesFixture();
}, 120_000);
afterAll(() => fixture.stop());

const inOneSource = { stage: 'copies' };

describe('a stage of two sources', () => {
  it('is filled by one import, each entity where it lives', async () => {
    expect(fixture.imported.status).toBe(200);
    for (const [source, table] of [
      ['catalog', 'Products'] as const,
      ['crm', '"Order Details"'] as const,
    ]) {
      const count = `SELECT count(*)::int AS n FROM ${table}`;
      expect(await fixture.sql(source, count)).toEqual(await fixture.sql('copy', count));
    }
    const tables = "SELECT to_regclass('products') AS p, to_regclass('orders') AS o";
    expect(await fixture.sql('crm', tables)).toEqual([{ p: null, o: 'orders' }]);
    expect(await fixture.sql('catalog', tables)).toEqual([{ p: 'products', o: null }]);
  });

  it('exports what was imported', async () => {
    const [one, other] = await Promise.all(
      ['default', 'copies'].map((stage) => ask(fixture.program, `/stages/${stage}/export`)),
    );
    const sorted = (text = '') =>
      JSON.parse(text)
        .entities.map((each: unknown) => JSON.stringify(each))
        .sort();
    expect(sorted(one?.text).join() === sorted(other?.text).join()).toBe(true);
  });

  it.each([
    'Orders.filter(p=>p.id<20).include(p=>[p.details.include(q=>q.product),p.customer])',
    'Products.filter(p=>p.id<20).include(p=>p.orderDetails.filter(d=>d.quantity>40).page(1,3))',
    'Orders.page(2,7).include(p=>p.details.include(d=>d.product.include(q=>[q.category,q.supplier])))',
    'Categories.include(p=>p.products.map(q=>[q.id,q.name]).include(q=>q.orderDetails.first(d=>d.orderId)))',
  ])('answers %s as one source does', async (query) => {
    const answer = await fixture.execute(query);
    expect(answer.status).toBe(200);
    const expected = await fixture.execute(query, undefined, inOneSource);
    expect(answer.text === expected.text).toBe(true);
    expect(answer.text.length).toBeGreaterThan(100);
  });

  it('answers several requests of one plan at once', async () => {
    const query =
      'Orders.filter(p=>p.id==id).include(p=>p.details.include(d=>d.product.map(q=>q.name)))';
    const ids = Array.from({ length: 60 }, (_, index) => 1 + index);
    const answers = await Promise.all(ids.map((id) => fixture.execute(query, { id })));
    for (const [index, { text }] of answers.entries()) {
      const [order] = JSON.parse(text);
      expect(order.id).toBe(ids[index]);
      expect(order.details[0].product.name).toMatch(/\w/);
    }
  });

  it('shows source and dialect of each sentence', async () => {
    const plan = await post(fixture.program, '/plan', {
      query: 'Orders.include(p=>p.details.include(d=>d.product))',
    });
    expect(plan.json()).toMatchObject({
      source: 'Crm',
      dialect: 'PostgreSQL',
      children: [{ source: 'Crm', children: [{ source: 'Catalog' }] }],
    });
  });

  it.each([
    ['Orders.details.map(p=>[p.orderId,p.product.name])', 'product'],
    ['Orders.details.filter(p=>p.product.category.name=="Seafood")', 'product'],
    ['Products.map(p=>({id:p.id,n:p.orderDetails.count()}))', 'orderDetails'],
    ['Products.filter(p=>exists(p.orderDetails,d=>d.quantity>9))', 'orderDetails'],
    ['Products.sort(p=>p.orderDetails.sum(d=>d.quantity))', 'orderDetails'],
  ])('says that %s would read two sources at once', async (query, relation) => {
    const answer = await fixture.execute(query);
    expect(answer.status).toBe(400);
    const problem = answer.json();
    expect(problem).toMatchObject({ code: 'unsupported', position: { ln: 1 } });
    expect(problem).toHaveProperty('detail', expect.stringContaining(`'${relation}'`));
    expect(problem).toHaveProperty(
      'detail',
      expect.stringMatching(/'Catalog'.*'Crm'|'Crm'.*'Catalog'/),
    );
  });

  it('asks every source whether it is ready', async () => {
    expect((await ask(fixture.program, '/readyz')).status).toBe(200);
    expect((await ask(fixture.program, '/stages/default/exists')).json()).toEqual({ exists: true });
  });

  it('answers 404 for a stage that is not there', async () => {
    const answer = await fixture.execute('Orders', undefined, { stage: 'nowhere' });
    expect([answer.status, answer.json()]).toMatchObject([404, { code: 'unknown-stage' }]);
  });

  it('says which entity a stage keeps nowhere', async () => {
    const answer = await fixture.execute('Shippers', undefined, { stage: 'orders' });
    expect([answer.status, answer.text]).toMatchObject([400, expect.stringContaining('Shippers')]);
  });
});

describe('a write of two sources', () => {
  const insert = 'Categories.insert().include(p=>p.products.include(q=>q.orderDetails))';
  const detail = { orderId: 7, quantity: 5, unitPrice: 2, discount: 0 };

  it('stores each part where it lives, the keys of one in the other', async () => {
    const data = { name: 'Two', products: [{ name: 'P', supplierId: 1, orderDetails: [detail] }] };
    const answer = await fixture.execute(insert, data);
    expect([answer.status, answer.text]).toMatchObject([200, expect.any(String)]);
    const [product] = Object(answer.json()).products;
    expect(product.orderDetails).toMatchObject([{ ...detail, productId: product.id }]);
    const where = `WHERE ProductID = ${product.id}`;
    expect(
      await fixture.sql('crm', `SELECT Quantity::int AS q FROM "Order Details" ${where}`),
    ).toEqual([{ q: 5 }]);
    expect(await fixture.sql('catalog', `SELECT ProductName AS n FROM Products ${where}`)).toEqual([
      { n: 'P' },
    ]);
  });

  it('stores nothing when a later part is refused', async () => {
    const orderDetails = [{ ...detail, orderId: 100_000 }];
    const data = { name: 'None', products: [{ name: 'Q', supplierId: 1, orderDetails }] };
    const answer = await fixture.execute(insert, data);
    expect([answer.status, answer.json()]).toMatchObject([
      409,
      { code: 'foreign-key-violation', detail: expect.stringContaining('Orders.details') },
    ]);
    const count = "SELECT count(*)::int AS n FROM Categories WHERE CategoryName = 'None'";
    expect(await fixture.sql('catalog', count)).toEqual([{ n: 0 }]);
  });

  it('says what is stored where when the later commit fails', async () => {
    await fixture.sql('crm', deferredCheck);
    const orderDetails = [{ ...detail, quantity: 666 }];
    const data = { name: 'Part', products: [{ name: 'R', supplierId: 1, orderDetails }] };
    const answer = await fixture.execute(insert, data);
    expect([answer.status, answer.json()]).toMatchObject([
      409,
      {
        code: 'stored-in-part',
        detail:
          "Stored: source 'Catalog' (Categories, Products). Not stored: source 'Crm' (Orders.details).",
      },
    ]);
    const stored = "SELECT count(*)::int AS n FROM Categories WHERE CategoryName = 'Part'";
    expect(await fixture.sql('catalog', stored)).toEqual([{ n: 1 }]);
    const absent = 'SELECT count(*)::int AS n FROM "Order Details" WHERE Quantity = 666';
    expect(await fixture.sql('crm', absent)).toEqual([{ n: 0 }]);
    expect((await fixture.execute('Orders.first()')).status).toBe(200);
  });

  it('does not delete along into another source', async () => {
    const answer = await fixture.execute('Products.delete().include(p=>p.orderDetails)', {
      id: 77,
    });
    expect([answer.status, answer.text]).toMatchObject([400, expect.stringContaining("'Catalog'")]);
    expect(
      await fixture.sql('catalog', 'SELECT 1 AS n FROM Products WHERE ProductID = 77'),
    ).toEqual([{ n: 1 }]);
  });
});

/** A trigger that refuses a row only when its transaction commits. */
const deferredCheck = `
CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN IF NEW.Quantity = 666 THEN RAISE check_violation; END IF; RETURN NULL; END $$;
CREATE CONSTRAINT TRIGGER refuse AFTER INSERT ON "Order Details" DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION refuse()`;

describe('a stage that reads from a copy', () => {
  const options = { stage: 'cqrs' };

  it('reads there, and writes to the originals', async () => {
    const read = 'Shippers.filter(p=>p.name=="Fast").map(p=>p.name)';
    const inserted = await fixture.execute('Shippers.insert()', { name: 'Fast' }, options);
    expect(inserted.json()).toMatchObject({ name: 'Fast', id: expect.any(Number) });
    expect((await fixture.execute(read, undefined, options)).json()).toEqual([]);
    expect((await fixture.execute(read)).json()).toEqual([{ name: 'Fast' }]);
  });

  it('reads what a write asks for where it writes', async () => {
    const query = 'Shippers.filter(p=>p.name=="Fast" && p.name!="Slow").update(p=>({phone:"1"}))';
    const hasOrders = 'Shippers.filter(p=>p.name=="Fast")';
    const { text, status } = await fixture.execute(query, undefined, options);
    expect([status, text]).toEqual([200, '1']);
    expect((await fixture.execute(hasOrders)).json()).toMatchObject([{ phone: '1' }]);
  });
});
