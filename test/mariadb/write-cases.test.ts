/** Every write case does the same on MariaDB or MySQL as on PostgreSQL. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mariadbDialect } from '../support/mariadb-dialect.js';
import { describeMariadb } from '../support/mariadb.js';
import { readWriteTopics, type WriteCase } from '../workers/write-cases.js';
import { startWriteStage, type WriteOutcome, type WriteStage } from '../workers/write-stage.js';

/** Cases with something that these databases cannot store: years before 1 or after 9999. */
const refused = new Set([
  'a year before Christ',
  'a date of the year 12005',
  'a date of the year 12005, as an instant',
  'a dateTime of the year 12005',
  'a dateTime whose offset leads into the year 10000',
  'a date of the year 12005 in one of many rows',
  'a date of the year 12005, in an update by filter',
  'a dateTime of the year 12005, in an update by key',
]);
const refusal = {
  problem: {
    code: 'value-out-of-range',
    detail: expect.stringMatching(
      /^'(day|made)' can only be in the years 1 to 9999 on this database/,
    ),
    place: expect.stringMatching(/^data(\[1\])?\.(day|made)$/),
  },
};

/** PostgreSQL does not report the column. */
const outOfRange = new Map([['an integer beyond its column', 'stock']]);

/** What MySQL refuses for an entity without a primary key. */
const keyless = /^by a filter .* the entity, without a primary key$/;
const keylessRefusal = {
  problem: {
    code: 'unsupported',
    detail: expect.stringMatching(/^On MySQL, an? (update|delete) of entity 'Labels' needs a/),
    position: expect.anything(),
  },
};

describeMariadb('the write cases', () => {
  let stage: WriteStage;

  beforeAll(async () => {
    stage = await startWriteStage(mariadbDialect);
  });
  afterAll(() => stage.stop());

  describe.each(readWriteTopics())('$name', ({ cases }) => {
    test.each(cases)('$comment', async (golden) => {
      const { comment, query, data } = golden;
      const column = outOfRange.get(comment);
      const own = column === undefined ? comparable(golden) : rangeProblem(column);
      const expected = refusalOf(comment) ?? own;
      expect(comparable(await stage.run(query, data))).toEqual(expected);
    });
  });
});

function refusalOf(comment: string): unknown {
  if (mariadbDialect === 'MySQL' && keyless.test(comment)) return keylessRefusal;
  return refused.has(comment) ? refusal : undefined;
}

function rangeProblem(property: string): unknown {
  const detail = `A number is out of the range of ${property} in entity Items.`;
  return { problem: { code: 'value-out-of-range', detail, place: `data.${property}` } };
}

/**
 * What is the same on all databases, without the database's SQL state and the trailing zeros of
 * decimals.
 */
function comparable({ answer, problem, tables }: WriteOutcome | WriteCase): unknown {
  const text = JSON.stringify({ answer, problem, tables }, (name, value: unknown) => {
    if (name === 'sqlstate') return undefined;
    return typeof value === 'string' && /^[-+].*[|]/.test(value) ? withoutZeros(value) : value;
  });
  return JSON.parse(text);
}

function withoutZeros(row: string): string {
  return row.replaceAll(/(?<=[|]-?\d+)(?:\.0+|(\.\d*[1-9])0+)(?=[|]|$)/g, '$1');
}
