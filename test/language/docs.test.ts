/**
 * docs/language.md matches the language: every example is run, and every value in its tables is
 * computed. `UPDATE_DOCS=1` writes the current answers, for a person to review.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'lossless-json';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { layOut, queriesIn, type QueryExample, valuesIn, withAnswers } from './doc-examples.js';
import { type LanguageFixture, startLanguageFixture } from './language-fixture.js';

const clauseNames =
  'filter where map select distinct sort order page first last take having count include'.split(
    ' ',
  );
const page = fileURLToPath(new URL('../../docs/language.md', import.meta.url));
const text = readFileSync(page, 'utf8');

let fixture: LanguageFixture;

beforeAll(async () => {
  fixture = await startLanguageFixture();
  if (process.env['UPDATE_DOCS'] !== '1') return;
  const answers: string[] = [];
  for (const example of queriesIn(text)) answers.push(await answerOf(example));
  writeFileSync(page, withAnswers(text, answers));
});

afterAll(() => fixture.stop());

/** The answer in the form that the page shows. */
async function answerOf({ query, data, isError }: QueryExample): Promise<string> {
  if (!isError) return layOut(parse(await fixture.answer(query, data)));
  const failure: unknown = await fixture.answer(query, data).catch((error: unknown) => error);
  if (!(failure instanceof Error) || !('problem' in failure))
    throw new Error('no problem', { cause: failure });
  return layOut(parse(JSON.stringify(failure.problem)), ' ').replace(/^ /gm, '');
}

describe('the document of the language', () => {
  test.each(queriesIn(text).map((each) => [each.line, each.query, each] as const))(
    'shows in line %i the answer to %s',
    async (_line, _query, example) => {
      expect(await answerOf(example)).toBe(example.shown);
    },
  );

  test.each(valuesIn(text).map(({ expression, value }) => [expression, value] as const))(
    'says what %s gives: %s',
    async (expression, value) => {
      const query = `Shippers.filter(p=>p.id==1).map(p=>({r: ${expression}}))`;
      expect(await fixture.answer(query)).toBe(`[{"r":${value}}]`);
    },
  );

  test('has an example of every clause that reads', () => {
    const queries = queriesIn(text)
      .map(({ query }) => query)
      .join('\n');
    const without = clauseNames.filter((name) => !queries.includes(`.${name}(`));
    expect(without).toEqual([]);
  });

  test('has an example of every operator', () => {
    const expressions = valuesIn(text)
      .map(({ expression }) => expression)
      .join('\n');
    const operators = '! - ~ ** * / % // + << >> < <= > >= == === != <> & ^ | && || ?? ?'.split(
      ' ',
    );
    expect(operators.filter((each) => !expressions.includes(each))).toEqual([]);
  });

  test('has only links to existing targets', () => {
    const links = [...text.matchAll(/\]\(([^)#]+)\)/g)].map(([, link = '']) => link);
    const missing = links.filter(
      (link) => !existsSync(new URL(`../../docs/${link}`, import.meta.url)),
    );
    expect(missing).toEqual([]);
  });
});
