/** Constraints on properties that a view hides still hold under the view, and reveal nothing. */
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import {
  checkFilteredWrite,
  compileQuery,
  createCatalog,
  describeConstraints,
  EngineError,
  loadSchema,
  readArguments,
  readRows,
} from '../../../src/engine/index.js';

const catalog = createCatalog(
  loadSchema(
    parse(`
domain:
  version: 1.0.0
  entities:
    - name: Loans
      primaryKey: [id]
      properties:
        - { name: id, type: integer, autoIncrement: true }
        - { name: amount, type: decimal }
        - { name: top, type: decimal, default: 100 }
        - { name: reason }
        - { name: rate, type: decimal, default: 0 }
      constraints:
        - { message: An amount is not above its top, condition: 'amount <= top' }
        - { message: A great amount has a reason, condition: 'amount < 50 || reason != null' }
        - { message: An amount is not negative, condition: 'amount >= 0' }
        - { message: A loan of 7 has a rate, condition: 'amount != 7 || 10 ** (400 + rate) > 0' }
infrastructure:
  mappings: [{ name: default }]
  sources: [{ name: default, dialect: PostgreSQL, mapping: default, connection: {} }]
  stages: [{ name: default, sources: [{ name: default }] }]
  views:
    - { name: default }
    - name: narrow
      entities:
        - name: Loans
          properties:
            - { name: top, exclude: true }
            - { name: reason, exclude: true }
            - { name: rate, exclude: true }
`),
  ),
);
const limits = { expressionLengthMax: 1000, nestingMax: 64, includeDepthMax: 8 };
const none = () => expect.unreachable();
const capabilities = { now: '2024-01-01T00:00:00Z', cipher: { encrypt: none, decrypt: none } };
const planOf = (expression: string, view: string) =>
  compileQuery(catalog, { expression, stage: 'default', view, limits });

function messages(work: () => unknown): readonly string[] {
  try {
    work();
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return error.errors?.map(({ message }) => message) ?? [error.message];
  }
  return [];
}

const hidden = 'A constraint of entity Loans is not met';

test.each([
  ['default', { amount: 60 }, ['A great amount has a reason']],
  ['narrow', { amount: 40 }, []],
  ['narrow', { amount: 60 }, [hidden]],
  ['narrow', { amount: 60, reason: 'given', top: 1000 }, [hidden]],
  ['narrow', { amount: 101 }, [hidden, hidden]],
  ['narrow', { amount: -1 }, ['An amount is not negative']],
  ['narrow', { amount: 7 }, [/^A constraint of entity 'Loans' cannot be evaluated/]],
])('under the view %s, an insert of %j', (view, data, expected) => {
  const { root } = planOf('Loans.insert()', view);
  expect(messages(() => readRows(root, data, capabilities))).toEqual(
    expected.map((each) => (each instanceof RegExp ? expect.stringMatching(each) : each)),
  );
});

test('an update does not check properties that it cannot set', () => {
  const plan = planOf('Loans.update({amount: amount}).filter(p=>p.id==1)', 'narrow');
  const { write } = plan.root;
  if (write?.kind !== 'filtered') throw new Error('rows that a filter chooses');
  const check = (amount: number) =>
    messages(() => {
      const values = readArguments(plan, { amount }, undefined);
      checkFilteredWrite(plan.root, write, { values, capabilities });
    });
  expect(check(1000)).toEqual([]);
  expect(check(-1)).toEqual(['An amount is not negative']);
});

test('descriptions of constraints name nothing hidden', () => {
  const text = JSON.stringify(describeConstraints(planOf('Loans.insert()', 'narrow')));
  expect(text).toContain('An amount is not negative');
  expect(text).not.toMatch(/top|reason|rate/);
});
