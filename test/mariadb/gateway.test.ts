/** The whole program with a MariaDB source: it is started, queried over HTTP, and stopped. */
import { expect, test } from 'vitest';
import { describeMariadbProgram } from '../support/mariadb-program.js';
import { ask, post, rowsOf, until } from '../support/program.js';

describeMariadbProgram('the program', [], (served) => {
  test('is ready', async () => {
    await until('it is ready', async () => (await ask(served.program, '/readyz')).status === 200);
  });

  test('answers a point read', async () => {
    const rows = await rowsOf(served.program, 'Products.filter(p=>p.id==id)', { id: 1 });
    expect(rows).toMatchObject([{ id: 1, name: expect.any(String), discontinued: false }]);
  });

  test('refuses a string that is longer than the server allows, and answers the requests waiting there', async () => {
    const query = 'Products.filter(p=>p.id==1).map(p=>({n: length(concat(s, s, s, s, s, s))}))';
    const long = (letters: number) => ({ query, data: { s: 'x'.repeat(letters) } });
    const [refused, ...answered] = await Promise.all([
      post(served.program, '/execute', long(3_000_000)),
      post(served.program, '/execute', long(2_000_000)),
      rowsOf(served.program, 'Products.filter(p=>p.id==id).map(p=>p.id)', { id: 1 }),
    ]);
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('text-too-long')]);
    expect(answered).toMatchObject([{ text: '[{"n":12000000}]' }, [{ id: 1 }]]);
  });

  test('sorts rows by a key that was the same for all rows of earlier requests', async () => {
    const query =
      'Products.filter(p=>in(p.categoryId, [a, b])).sort(p=>[p.discontinued, desc(p.categoryId), p.id])';
    const read = async (a: number, b: number): Promise<unknown[]> => {
      const rows = await rowsOf(served.program, `${query}.map(p=>[p.discontinued, p.categoryId])`, {
        a,
        b,
      });
      return Array.isArray(rows) ? rows : [];
    };
    for (let count = 0; count < 12; count += 1) expect(await read(1, 1)).not.toEqual([]);
    for (let count = 0; count < 12; count += 1) {
      const rows = await read(1, 2);
      const keys = rows.map((row) => JSON.stringify(row));
      expect(new Set(keys).size).toBeGreaterThan(2);
      expect(keys).toEqual([...keys].sort(byDiscontinuedAndCategory));
    }
  });

  test('refuses to compute with a number that does not fit into a decimal, but compares it', async () => {
    const compared = 'Products.filter(p=>p.id<n && p.id==1).map(p=>p.id)';
    expect(await rowsOf(served.program, compared, { n: 1e40 })).toEqual([{ id: 1 }]);
    const query = 'Products.filter(p=>p.id==1).map(p=>({n: p.price+n}))';
    const refused = await post(served.program, '/execute', { query, data: { n: 1e40 } });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('out-of-range')]);
  });

  const long = 'rpad("é", 30000, "é")';
  const longer = Array.from({ length: 150 }, () => long);
  test.each([
    [
      'replace(rpad("a", 30000, "a"), "a", rpad("b", 50))',
      'replace(rpad("a", 30000, "a"), "a", rpad("b", 5000))',
    ],
    ['concat(s, rpad("a", 300), s)', `concat(s, ${longer.join(', ')}, s)`],
    ['"" + s + rpad("a", 300)', `"" + s + ${longer.join(' + ')}`],
    ['title(" " + s)', `title(concat(s, ${longer.join(', ')}))`],
    ['toJson(" " + s)', `toJson(concat(s, ${longer.join(', ')}))`],
  ])('does not return null for a text that is too long: %s', async (short, text) => {
    const ask = (of: string, letters: number) => {
      const query = `Products.filter(p=>p.id==1).map(p=>({n: length(${of}), i: p.id}))`;
      return post(served.program, '/execute', { query, data: { s: 'x'.repeat(letters) } });
    };
    const answered = await ask(short, 10);
    expect([answered.status, answered.text]).toEqual([200, expect.not.stringContaining('null')]);
    const refused = await ask(text, 8_000_000);
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('text-too-long')]);
  });

  test.each([
    'Products.map(p=>({r: p.id+9223372036854775807}))',
    'Products.filter(p=>p.id+9223372036854775807>0)',
  ])('refuses an integer of more than 64 bits: %s', async (query) => {
    const refused = await post(served.program, '/execute', { query });
    expect(refused.status).toBe(400);
    expect(refused.json()).toMatchObject({ status: 400, code: 'value-out-of-range' });
  });

  test('answers other requests on the connection where a string was too long', async () => {
    const query = 'Products.filter(p=>p.id==1).map(p=>({n: "" + s + s, i: p.id}))';
    const tooLong = post(served.program, '/execute', { query, data: { s: 'x'.repeat(8_400_000) } });
    const ids = Array.from({ length: 64 }, (_, index) => 1 + index);
    const others = ids.map((id) =>
      rowsOf(served.program, 'Products.filter(p=>p.id==id).map(p=>p.id)', { id }),
    );
    expect(await Promise.all(others)).toEqual(ids.map((id) => [{ id }]));
    expect((await tooLong).text).toContain('text-too-long');
  });

  test('answers a sorted filter with its includes', async () => {
    const query =
      'Orders.filter(p=>p.id<=n).sort(p=>desc(p.id)).map(p=>p.id).include(p=>[p.details.map(d=>[d.quantity,d.orderId]),p.customer.map(c=>c.id)])';
    const details = [2, 8, 16].map((quantity) => ({ quantity, orderId: 3 }));
    expect(await rowsOf(served.program, query, { n: 3 })).toMatchObject([
      { id: 3, details, customer: { id: expect.any(String) } },
      { id: 2 },
      { id: 1 },
    ]);
  });
});

function byDiscontinuedAndCategory(left: string, right: string): number {
  const [one, other] = [JSON.parse(left), JSON.parse(right)];
  return one.discontinued - other.discontinued || other.categoryId - one.categoryId;
}
