/** An import does not check its rows with plans that the session has made for small tables. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { post, type Program, startProgram } from '../support/program.js';
import { useOwnPostgresql } from './own-database.js';

const database = useOwnPostgresql(`
  CREATE TABLE room (id integer PRIMARY KEY);
  CREATE TABLE desk (id integer PRIMARY KEY, room_id integer REFERENCES room (id));
  INSERT INTO room VALUES (1); ANALYZE room`);

let program: Program;
beforeAll(async () => {
  program = await startProgram(['--url', database.url, '--workers', '1', '--connections', '1']);
});
afterAll(() => program.stop());

test('references to rows that the import has stored are found by their index', async () => {
  const desks = (first: number, roomOf: (id: number) => number, count: number) =>
    Array.from({ length: count }, (_, at) => ({ id: first + at, roomId: roomOf(first + at) }));
  const importOf = async (rooms: readonly object[], rows: readonly object[]) => {
    const entities = [
      { entity: 'Room', rows: rooms },
      { entity: 'Desk', rows },
    ];
    const { status, text } = await post(program, '/stages/default/import', { entities });
    expect(status, text).toBe(200);
  };
  // PostgreSQL keeps a plan from the sixth check, and forgets it when a session has its first temporary table.
  await importOf(
    [],
    desks(1, () => 1, 10),
  );
  await importOf(
    [],
    desks(11, () => 1, 10),
  );
  const count = 6000;
  const rooms = Array.from({ length: count }, (_, at) => ({ id: 100 + at }));
  await importOf(
    rooms,
    desks(100, (id) => id, count),
  );
  const search =
    "SELECT idx_scan >= 6000, seq_scan < 1000 FROM pg_stat_user_tables WHERE relname = 'room'";
  await expect.poll(() => database.texts(search)).toEqual([[true, true]]);
});
