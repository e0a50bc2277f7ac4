/**
 * Runs every write case, and compares its answer and the tables afterwards, or its problem and the
 * unchanged tables. `UPDATE_CASES=1` writes the current results, for a person to review.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readWriteTopics, writeTopicFile } from './write-cases.js';
import { startWriteStage, type WriteStage } from './write-stage.js';

const isUpdate = process.env['UPDATE_CASES'] === '1';
const topics = readWriteTopics();
let stage: WriteStage;

beforeAll(async () => {
  stage = await startWriteStage();
  if (!isUpdate) return;
  for (const { name, cases } of topics) {
    const settled = [];
    for (const { comment, query, data } of cases) {
      const outcome = await stage.run(query, data);
      settled.push({ comment, query, ...(data !== undefined && { data }), ...outcome });
    }
    writeTopicFile({ name, cases: settled });
  }
});
afterAll(() => stage.stop());

describe.each(topics)('$name', ({ cases }) => {
  test.skipIf(isUpdate).each(cases)('$comment', async (golden) => {
    const { comment, query, data } = golden;
    const outcome = await stage.run(query, data);
    expect({ comment, query, ...(data !== undefined && { data }), ...outcome }).toEqual(golden);
    if (outcome.problem !== undefined) expect(outcome.tables).toBeUndefined();
  });

  test('no comment occurs twice', () => {
    expect(new Set(cases.map(({ comment }) => comment)).size).toBe(cases.length);
  });
});
