/** Computed values of enums on PostgreSQL, in tables that have columns whose domain is NOT NULL. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { post, type Program, rowsOf, startProgram } from '../support/program.js';
import { useOwnPostgresql } from './own-database.js';

describe('an enum beside columns of domains', () => {
  const database = useOwnPostgresql(`
    CREATE TYPE mood AS ENUM ('glad', 'sad');
    CREATE DOMAIN title AS varchar(20) COLLATE "C" NOT NULL DEFAULT upper('x');
    CREATE DOMAIN label AS text CHECK (VALUE IS NOT NULL);
    CREATE DOMAIN codes AS int[] NOT NULL;
    CREATE TABLE person (id int PRIMARY KEY, mood mood, "Other" mood, title title, label label, codes codes,
      doc jsonb NOT NULL);
    INSERT INTO person VALUES (1, 'glad', 'sad', 'a', 'b', '{1,2}', '{"a": "\\\\u00e4"}'),
      (2, 'sad', 'sad', E'a\\\\\\n"', '', '{}', '[]');`);
  let program: Program;
  beforeAll(async () => {
    program = await startProgram(['--url', database.url, '--workers', '1']);
  });
  afterAll(() => program.stop());

  test.each([
    ['p.id==1 ? "sad" : p.other', ['sad', 'sad']],
    ['p.id==1 ? null : p.other ?? "glad"', [null, 'sad']],
    ['p.title=="a" ? now : later', ['glad', 'sad']],
    ['p.other', ['sad', 'sad']],
    ['lower("GLAD")', ['glad', 'glad']],
    ['p.id==1 ? lower("SAD") : "glad"', ['sad', 'glad']],
  ])('gets the value that a query computes: %s', async (value, moods) => {
    const query = `Person.update(p=>({mood: ${value}})).filter(p=>p.id>0)`;
    const answer = await post(program, '/execute', { query, data: { now: 'glad', later: 'sad' } });
    expect(answer.text).toBe('2');
    const stored = await rowsOf(program, 'Person.sort(p=>p.id).map(p=>p.mood)');
    expect(stored).toEqual(moods.map((mood) => ({ mood })));
  });

  test('refuses a value that the enum does not have', async () => {
    const query = 'Person.update(p=>({mood: p.id==1 ? now : "sad"})).filter(p=>p.id>0)';
    const answer = await post(program, '/execute', { query, data: { now: 'angry' } });
    expect([answer.status, answer.json()]).toMatchObject([400, { code: 'parameter-type' }]);
  });
});
