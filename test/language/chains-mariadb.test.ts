/**
 * Long chains of operators on MariaDB, whose server evaluates expressions by recursion, and long paths: it
 * joins at most 61 tables.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeMariadb } from '../support/mariadb.js';
import { exactValue } from './language-fixture.js';
import { type MariadbFixture, startMariadbFixture } from './mariadb-fixture.js';

const TERMS = 999;

function terms(operator: string, item: (index: number) => string): string {
  return Array.from({ length: TERMS }, (_, index) => item(index)).join(operator);
}

const chains = [
  ['||', `Products.filter(p=>${terms('||', (i) => `p.id==${i}`)}).count()`, 80],
  ['&&', `Products.filter(p=>${terms('&&', (i) => `p.id!=${i + 41}`)}).count()`, 40],
  ['+', `Products.filter(p=>${terms('+', () => 'p.id')}==${TERMS}).count()`, 1],
  ['+ of decimals', `Products.filter(p=>${terms('+', () => 'p.price')}>0).count()`, 80],
  ['+ of numbers', `Products.filter(p=>${terms('+', () => 'p.price*2')}>0).count()`, 80],
  ['+ of parameters', `Products.filter(p=>p.id+${terms('+', () => 'x')}==${TERMS + 1}).count()`, 1],
  ['+ of calls', `Products.filter(p=>${terms('+', () => 'abs(p.id)')}==${TERMS}).count()`, 1],
  ['+ of texts', `Shippers.filter(p=>("x"+${terms('+', () => 'p.id')})!="").count()`, 4],
  ['-', `Products.filter(p=>${terms('-', () => 'p.id')}==-${TERMS - 2}).count()`, 1],
  ['*', `Products.filter(p=>${terms('*', () => 'p.id')}==1).filter(p=>p.id==1).count()`, 1],
  ['&', `Products.filter(p=>(${terms('&', () => 'p.id')})==1).count()`, 1],
] as const;

const JOINS = 59;
const REQUESTS = 40;

describeMariadb(`a chain of ${TERMS} operands on MariaDB`, () => {
  let fixture: MariadbFixture;

  beforeAll(async () => {
    fixture = await startMariadbFixture();
  });

  afterAll(() => fixture.stop());

  test.each(chains)('%s is answered', async (_operator, query, count) => {
    const answer = exactValue(await fixture.answer(query, { x: 1 }));
    expect(answer).toEqual(exactValue(`[{"count":${count}}]`));
  });

  test(`a path of ${JOINS} relations is answered, also beside other requests of its plan`, async () => {
    const top = `p${'.reportsTo'.repeat(JOINS)}.id`;
    const query = `Employees.filter(p=>p.id==n).map(p=>({id: p.id, top: ${top}}))`;
    const answers = Array.from({ length: REQUESTS }, (_, n) =>
      fixture.answer(query, { n: n % 10 }),
    );
    for (const [n, answer] of (await Promise.all(answers)).entries()) {
      expect(JSON.parse(answer)).toEqual(n % 10 === 0 ? [] : [{ id: n % 10, top: null }]);
    }
  });
});
