/** Tables of PostgreSQL that inherit from others: their rows are in both entities, and a remark says so. */
import { describe, expect, test } from 'vitest';
import { useOwnPostgresql } from './own-database.js';
import { callCommand } from '../support/call-command.js';

describe('tables that inherit from another one', () => {
  const database = useOwnPostgresql(`
    CREATE TABLE city (id integer PRIMARY KEY, name varchar(20));
    CREATE TABLE capital (state varchar(20), PRIMARY KEY (id)) INHERITS (city);
    CREATE TABLE port (depth integer, PRIMARY KEY (id)) INHERITS (city);
    CREATE TABLE visit (id integer, day date, PRIMARY KEY (id, day)) PARTITION BY RANGE (day);
    CREATE TABLE visit_2024 PARTITION OF visit FOR VALUES FROM ('2024-01-01') TO ('2025-01-01');`);

  test('are named in a remark about that one, but partitions are not', async () => {
    const { stdout, stderr } = await callCommand(['introspect', database.url]);
    const why =
      'It also shows the rows of the tables that inherit from it (capital, port), so an export contains those rows twice.';
    const notes = (text: string) => text.match(/Note: .*/g);
    expect(notes(stdout)).toEqual([`Note: public.city. ${why}`]);
    expect(notes(stderr)).toEqual([`Note: public.city. ${why}`]);
  });
});
