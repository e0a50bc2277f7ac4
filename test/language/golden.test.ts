/**
 * Compares the statements of every case of the table, in both dialects. `UPDATE_GOLDEN=1` writes the
 * current statements, for a person to review.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  type Catalog,
  compileQuery,
  createCatalog,
  type DialectName,
  EngineError,
  loadSchema,
  type StatementPlan,
} from '../../src/engine/index.js';
import { topics } from './cases/topics.js';
import { languageDocument } from './language-fixture.js';

type Golden = Readonly<Record<string, Readonly<Record<'postgresql' | 'mysql', readonly string[]>>>>;

const limits = { expressionLengthMax: 65_536, nestingMax: 64, includeDepthMax: 8 };
const postgresql = catalogOf('PostgreSQL');
const mysql = catalogOf('MySQL');

const { nested = [], ...others } = topics;

describe.each(Object.entries(others))('%s', (name, cases) => {
  const file = new URL(`golden/${name}.json`, import.meta.url);
  const queries = [...new Set(cases.map(({ query }) => query))];
  const now: Golden = Object.fromEntries(
    queries.map((query) => [
      query,
      { postgresql: sentencesOf(postgresql, query), mysql: sentencesOf(mysql, query) },
    ]),
  );
  if (process.env['UPDATE_GOLDEN'] === '1')
    writeFileSync(file, `${JSON.stringify(now, null, 2)}\n`);
  const golden: Golden = JSON.parse(readFileSync(file, 'utf8'));

  test('has exactly the queries of the table', () => {
    expect(Object.keys(golden)).toEqual(queries);
  });

  test.each(queries)('%s', (query) => {
    expect(now[query]).toEqual(golden[query]);
  });
});

test.each(nested.filter((each) => !('refused' in each)))('is short: $query', ({ query }) => {
  for (const catalog of [postgresql, mysql]) {
    const [text = ''] = sentencesOf(catalog, query);
    expect(text.length).toBeLessThan(32_768);
  }
});

function catalogOf(dialect: DialectName): Catalog {
  const nowhere = { host: 'localhost', port: 1, user: 'nobody', database: 'none' };
  const schema = loadSchema(languageDocument(nowhere));
  const sources = schema.sources.map((source) => ({ ...source, dialect }));
  return createCatalog({ ...schema, sources });
}

function sentencesOf(catalog: Catalog, expression: string): readonly string[] {
  const request = { expression, stage: 'default', view: 'default', limits };
  try {
    return textsOf(compileQuery(catalog, request).root);
  } catch (error) {
    if (error instanceof EngineError) return [`refused: ${error.code}`];
    throw error;
  }
}

/** The SQL of the statement, followed by that of its includes in order. */
function textsOf({ text, includes }: StatementPlan): string[] {
  return [text, ...includes.flatMap(({ statement }) => textsOf(statement))];
}
