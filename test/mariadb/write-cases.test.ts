/**
 * Every case that writes does on MariaDB what it does on PostgreSQL; and so do the statements that
 * are meant for MySQL, which differ where MySQL does not tell what it has stored.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DialectName } from '../../src/engine/index.js';
import { describeMariadb } from '../support/mariadb.js';
import { readWriteTopics, type WriteCase } from '../workers/write-cases.js';
import { startWriteStage, type WriteOutcome, type WriteStage } from '../workers/write-stage.js';

/** What these databases cannot store, by the comment of its case. */
const refused: Readonly<Record<string, unknown>> = {
  'a year before Christ': { code: 'evaluation-failed', detail: expect.any(String) },
};

describe.each<DialectName>(['MariaDB', 'MySQL'])('the dialect %s', (dialect) => {
  describeMariadb('the write cases', () => {
    let stage: WriteStage;

    beforeAll(async () => {
      stage = await startWriteStage(dialect);
    });
    afterAll(() => stage.stop());

    describe.each(readWriteTopics())('$name', ({ cases }) => {
      test.each(cases)('$comment', async (golden) => {
        const { comment, query, data } = golden;
        const problem = refused[comment];
        const expected = problem === undefined ? told(golden) : { problem };
        expect(told(await stage.run(query, data))).toEqual(expected);
      });
    });
  });
});

/** What is the same everywhere: the database's own state and zeros behind a decimal are not. */
function told({ answer, problem, tables }: WriteOutcome | WriteCase): unknown {
  const text = JSON.stringify({ answer, problem, tables }, (name, value: unknown) => {
    if (name === 'sqlstate') return undefined;
    return typeof value === 'string' && /^[-+].*[|]/.test(value) ? withoutZeros(value) : value;
  });
  return JSON.parse(text);
}

function withoutZeros(row: string): string {
  return row.replaceAll(/(?<=[|]-?\d+)(?:\.0+|(\.\d*[1-9])0+)(?=[|]|$)/g, '$1');
}
