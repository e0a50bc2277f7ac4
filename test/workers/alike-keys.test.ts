/** Which keys of parents a database may consider equal. */
import { describe, expect, test } from 'vitest';
import { alikeKeys } from '../../src/workers/execute/alike-keys.js';

describe('keys are alike', () => {
  test.each([
    [['west', 'West', 'WEST  ']],
    [['Muller', 'Müller', 'Myller']],
    [['strasse', 'straße', 'STRASE']],
    [['1.5', '1.50']],
    [['["a ","b"]', '["A","b"]']],
  ])('%j', (keys) => {
    expect(alikeKeys(keys)).toEqual([keys]);
  });
});

test('of ASCII letters, only the cases of a letter are alike', () => {
  const keys = ['CU', 'CY', 'Jansen', 'Janssen', 'Bar', 'Baer', 'Baar'];
  expect(alikeKeys(keys)).toEqual(keys.map((key) => [key]));
});

test('long runs of blanks are read once', () => {
  const key = `${' '.repeat(100_000)}x`;
  const startedAt = performance.now();
  expect(alikeKeys([key])).toEqual([[key]]);
  expect(performance.now() - startedAt).toBeLessThan(2000);
});
