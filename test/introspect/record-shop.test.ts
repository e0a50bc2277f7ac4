/** A record shop whose tables were not made by Rowgate: introspected, served, read and written. */
import { describe, expect, test } from 'vitest';
import { describeMariadb } from '../support/mariadb.js';
import { ask, post, rowsOf, runCommand } from '../support/program.js';
import { useOwnMariadb, useOwnPostgresql, withoutRows } from './own-database.js';
import { recordShopSql } from './record-shop.js';
import { refusal, type ServedDatabases, servedSuite } from './served-suite.js';

describe('a record shop on PostgreSQL', () => {
  const sql = recordShopSql('PostgreSQL');
  const database = useOwnPostgresql(sql);
  suite({ database, empty: useOwnPostgresql(withoutRows(sql)) });
});

describeMariadb('a record shop', () => {
  const sql = recordShopSql('MariaDB');
  const database = useOwnMariadb(sql);
  suite({ database, empty: useOwnMariadb(withoutRows(sql)) });
});

function suite(databases: ServedDatabases): void {
  const { database } = databases;
  const { served } = servedSuite(databases);

  test('the schema file is as expected', async () => {
    const { code, stdout, stderr } = await runCommand(['introspect', database.url]);
    const [, name = ''] = /\/(test_\w+)/.exec(database.url) ?? [];
    const [, ...lines] = stdout.replaceAll(name, 'shop').split('\n');
    expect(code).toBe(0);
    const file = `golden/record-shop.${database.dialect.toLowerCase()}.txt`;
    await expect(lines.join('\n')).toMatchFileSnapshot(file);
    expect(stderr.replace(name, 'public')).toMatch(/^Not mapped: public\.song\.search\. /);
  });

  test('relations lead in both directions, from a row to itself, and one to one', async () => {
    const query =
      'Sale.filter(p=>p.id==1).map(p=>[p.id]).include(p=>[p.customer.map(c=>c.email).include(c=>c.customerNote.map(n=>n.note)), p.billingAddress.map(a=>a.city), p.soldByClerk.map(s=>s.name).include(s=>s.boss.map(b=>b.name)), p.saleLines.map(l=>[l.lineNo, l.amount])])';
    expect(await rowsOf(served(), query)).toEqual([
      {
        id: 1,
        customer: { email: 'ann@example.org', customerNote: { note: 'pays late' } },
        billingAddress: { city: 'York' },
        soldByClerk: { name: 'Yan', boss: { name: 'Zoe' } },
        saleLines: [
          { lineNo: 1, amount: 2.5 },
          { lineNo: 2, amount: 0.99 },
        ],
      },
    ]);
    const back =
      'Address.sort(p=>p.id).map(p=>[p.city]).include(p=>[p.salesByBillingAddress.map(s=>s.id), p.salesByShippingAddress.map(s=>s.id)])';
    expect(await rowsOf(served(), back)).toEqual([
      { city: 'York', salesByBillingAddress: [{ id: 1 }], salesByShippingAddress: [] },
      { city: 'Bath', salesByBillingAddress: [], salesByShippingAddress: [{ id: 1 }] },
    ]);
  });

  test('a row is stored with the defaults of its columns, and read back', async () => {
    const program = served();
    const long = 'x'.repeat(5000);
    const artist = await rowsOf(program, 'Artist.insert()', { name: 'New', biography: long });
    expect(artist).toEqual({ id: 3, name: 'New', biography: long });
    const album = await rowsOf(program, 'Album.insert()', { title: 'Third', artistId: 3 });
    expect(album).toEqual({
      id: 3,
      title: 'Third',
      artistId: 3,
      labelId: null,
      released: null,
      price: 9.99,
      isLive: false,
    });
    const sale = await rowsOf(program, 'Sale.insert().include(p=>p.saleLines)', {
      customerId: 2,
      saleLines: [{ lineNo: 1, songId: 2, quantity: 3, unitPrice: 1.5, amount: 77 }],
    });
    expect(sale).toMatchObject({ id: 3, saleLines: [{ saleId: 3, quantity: 3, amount: 4.5 }] });
    expect(await rowsOf(program, 'SaleLine.delete().filter(p=>p.saleId==3)')).toBe(1);
    expect(await rowsOf(program, 'Sale.delete().filter(p=>p.id==3)')).toBe(1);
  });

  test('views and computed columns are read, and writing them is refused', async () => {
    const program = served();
    const sold = 'BestSeller.sort(p=>p.songId).map(p=>[p.songId, p.sold])';
    expect(await rowsOf(program, sold)).toEqual([
      { songId: 1, sold: 3 },
      { songId: 3, sold: 1 },
    ]);
    expect(await refusal(program, 'BestSeller.insert()', { songId: 1, sold: 2 })).toEqual({
      status: 400,
      code: 'unsupported',
      detail: "Entity 'BestSeller' is read-only.",
    });
    expect(await refusal(program, 'SaleLine.updateAll({amount: a})', { a: 1 })).toEqual({
      status: 400,
      code: 'unsupported',
      detail: "Property 'amount' is read-only.",
    });
  });

  test('views are exported on request, and not imported', async () => {
    const program = served();
    const [plain, whole] = await Promise.all(
      ['', '?readOnly=true'].map((query) => ask(program, `/stages/default/export${query}`)),
    );
    expect(plain?.text).not.toContain('"BestSeller"');
    expect(whole?.text).toContain('{"entity":"BestSeller","rows":[{"songId":1,"sold":3},');
    const rows = { entities: [{ entity: 'BestSeller', rows: [{ songId: 9, sold: 1 }] }] };
    const refused = await post(program, '/stages/default/import', rows);
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('BestSeller');
  });

  test('a value outside of an enum, and one that is too long, are refused', async () => {
    const wrong = { email: 'x@example.org', standing: 'king' };
    expect(await refusal(served(), 'Customer.insert()', wrong)).toMatchObject({ status: 422 });
    const long = { name: 'y'.repeat(61) };
    expect(await refusal(served(), 'Label.insert()', long)).toMatchObject({ status: 422 });
  });
}
