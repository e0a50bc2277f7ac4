/** A suite for several sources, whatever the dialect of one of them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, post } from '../support/program.js';
import type { SourcesFixture } from './sources-fixture.js';

const inOneSource = { stage: 'copies' };

/** A trigger that rejects a row only when its transaction commits. */
const deferredCheck = `
CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN IF NEW.Quantity = 666 THEN RAISE check_violation; END IF; RETURN NULL; END $$;
CREATE CONSTRAINT TRIGGER refuse AFTER INSERT ON "Order Details" DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION refuse()`;

/** Declares tests of reads and writes that use several sources. */
export function sourcesSuite(
  catalogDialect: 'PostgreSQL' | 'MariaDB',
  start: () => Promise<SourcesFixture>,
): void {
  let fixture: SourcesFixture;
  beforeAll(async () => {
    fixture = await start();
  });
  afterAll(() => fixture.stop());

  describe('a stage of two sources', () => {
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

    it('shows source and dialect of each statement', async () => {
      const plan = await post(fixture.program, '/plan', {
        query: 'Orders.include(p=>p.details.include(d=>d.product))',
      });
      expect(plan.json()).toMatchObject({
        source: 'Crm',
        dialect: 'PostgreSQL',
        children: [{ source: 'Crm', children: [{ source: 'Catalog', dialect: catalogDialect }] }],
      });
    });

    it.each([
      ['Orders.details.map(p=>[p.orderId,p.product.name])', 'product'],
      ['Orders.details.filter(p=>p.product.category.name=="Seafood")', 'product'],
      ['Products.map(p=>({id:p.id,n:p.orderDetails.count()}))', 'orderDetails'],
      ['Products.filter(p=>exists(p.orderDetails,d=>d.quantity>9))', 'orderDetails'],
      ['Products.sort(p=>p.orderDetails.sum(d=>d.quantity))', 'orderDetails'],
    ])('reports that %s would read two sources in one statement', async (query, relation) => {
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

    it('checks every source for readiness', async () => {
      expect((await ask(fixture.program, '/readyz')).status).toBe(200);
      expect((await ask(fixture.program, '/stages/default/exists')).json()).toEqual({
        exists: true,
      });
    });

    it('answers 404 for an unknown stage', async () => {
      const answer = await fixture.execute('Orders', undefined, { stage: 'nowhere' });
      expect([answer.status, answer.json()]).toMatchObject([404, { code: 'unknown-stage' }]);
    });

    it('names an entity that the stage does not store', async () => {
      const answer = await fixture.execute('Shippers', undefined, { stage: 'orders' });
      expect([answer.status, answer.text]).toMatchObject([
        400,
        expect.stringContaining('Shippers'),
      ]);
    });
  });

  describe('a write to two sources', () => {
    const insert = 'Categories.insert().include(p=>p.products.include(q=>q.orderDetails))';
    const detail = { orderId: 7, quantity: 5, unitPrice: 2, discount: 0 };

    it('stores each part in its source, with keys of one in the other', async () => {
      const data = {
        name: 'Two',
        products: [{ name: 'P', supplierId: 1, orderDetails: [detail] }],
      };
      const answer = await fixture.execute(insert, data);
      expect([answer.status, answer.text]).toMatchObject([200, expect.any(String)]);
      const [product] = Object(answer.json()).products;
      expect(product.orderDetails).toMatchObject([{ ...detail, productId: product.id }]);
      const where = `WHERE ProductID = ${product.id}`;
      expect(await fixture.count('crm', `"Order Details" ${where} AND Quantity = 5`)).toBe(1);
      expect(await fixture.count('catalog', `Products ${where} AND ProductName = 'P'`)).toBe(1);
    });

    it('stores nothing if a later part is refused', async () => {
      const orderDetails = [{ ...detail, orderId: 100_000 }];
      const data = { name: 'None', products: [{ name: 'Q', supplierId: 1, orderDetails }] };
      const answer = await fixture.execute(insert, data);
      expect([answer.status, answer.json()]).toMatchObject([
        409,
        { code: 'foreign-key-violation', detail: expect.stringContaining('Orders.details') },
      ]);
      const none = "Categories WHERE CategoryName = 'None'";
      expect(await fixture.count('catalog', none)).toBe(0);
    });

    it('reports what is stored where if the later commit fails', async () => {
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
      const stored = "Categories WHERE CategoryName = 'Part'";
      expect(await fixture.count('catalog', stored)).toBe(1);
      expect(await fixture.count('crm', '"Order Details" WHERE Quantity = 666')).toBe(0);
      expect((await fixture.execute('Orders.first()')).status).toBe(200);
    });

    it('does not delete included rows in another source', async () => {
      const answer = await fixture.execute('Products.delete().include(p=>p.orderDetails)', {
        id: 77,
      });
      expect([answer.status, answer.text]).toMatchObject([
        400,
        expect.stringContaining("'Catalog'"),
      ]);
      expect(await fixture.count('catalog', 'Products WHERE ProductID = 77')).toBe(1);
    });
  });

  describe('a stage that reads from a copy', () => {
    const options = { stage: 'cqrs' };

    it('reads from the copy, and writes to the originals', async () => {
      const read = 'Shippers.filter(p=>p.name=="Fast").map(p=>p.name)';
      const inserted = await fixture.execute('Shippers.insert()', { name: 'Fast' }, options);
      expect(inserted.json()).toMatchObject({ name: 'Fast', id: expect.any(Number) });
      expect((await fixture.execute(read, undefined, options)).json()).toEqual([]);
      expect((await fixture.execute(read)).json()).toEqual([{ name: 'Fast' }]);
    });

    it('reads what a write needs from the source that it writes to', async () => {
      const query = 'Shippers.filter(p=>p.name=="Fast" && p.name!="Slow").update(p=>({phone:"1"}))';
      const hasOrders = 'Shippers.filter(p=>p.name=="Fast")';
      const { text, status } = await fixture.execute(query, undefined, options);
      expect([status, text]).toEqual([200, '1']);
      expect((await fixture.execute(hasOrders)).json()).toMatchObject([{ phone: '1' }]);
    });
  });
}
