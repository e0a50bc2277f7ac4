/** The whole program over a source of MariaDB: started, asked over HTTP, and ended. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeTemporaryDirectory } from '../support/embedded.js';
import {
  createMariadbDatabase,
  describeMariadb,
  type MariadbDatabase,
} from '../support/mariadb.js';
import { fillMariadbWithSample, mariadbSampleDocument } from '../support/mariadb-sample.js';
import { ask, type Program, rowsOf, startProgram, until } from '../support/program.js';

describeMariadb('the program', () => {
  const folder = makeTemporaryDirectory();
  let database: MariadbDatabase;
  let program: Program;

  beforeAll(async () => {
    database = await createMariadbDatabase();
    await fillMariadbWithSample(database);
    const schema = join(folder, 'schema.json');
    writeFileSync(schema, JSON.stringify(mariadbSampleDocument(database)));
    program = await startProgram(['--schema', schema, '--workers', '1']);
  });

  afterAll(async () => {
    await program.stop();
    await database.drop();
    rmSync(folder, { recursive: true });
  });

  test('is ready', async () => {
    await until('it is ready', async () => (await ask(program, '/readyz')).status === 200);
  });

  test('answers a point read', async () => {
    const rows = await rowsOf(program, 'Products.filter(p=>p.id==id)', { id: 1 });
    expect(rows).toMatchObject([{ id: 1, name: expect.any(String), discontinued: false }]);
  });

  test('answers a filter, sorted, with what it includes', async () => {
    const query =
      'Orders.filter(p=>p.id<=n).sort(p=>desc(p.id)).map(p=>p.id).include(p=>[p.details.map(d=>[d.quantity,d.orderId]),p.customer.map(c=>c.id)])';
    const details = [2, 8, 16].map((quantity) => ({ quantity, orderId: 3 }));
    expect(await rowsOf(program, query, { n: 3 })).toMatchObject([
      { id: 3, details, customer: { id: expect.any(String) } },
      { id: 2 },
      { id: 1 },
    ]);
  });
});
