/** Tables of MariaDB with system versioning: the columns of their period are no part of a key. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callCommand } from '../support/call-command.js';
import { describeMariadb } from '../support/mariadb.js';
import { post, type Program, rowsOf, startProgram } from '../support/program.js';
import { useOwnMariadb } from './own-database.js';

describeMariadb('tables with system versioning', () => {
  const database = useOwnMariadb(`
    CREATE TABLE price (id integer PRIMARY KEY, code varchar(20) UNIQUE, value integer,
      s timestamp(6) GENERATED ALWAYS AS ROW START, e timestamp(6) GENERATED ALWAYS AS ROW END,
      PERIOD FOR SYSTEM_TIME (s, e), KEY ends (e), KEY valued (value)) WITH SYSTEM VERSIONING;`);
  let program: Program;
  beforeAll(async () => {
    program = await startProgram(['--url', database.url, '--workers', '1']);
  });
  afterAll(() => program.stop());

  test('have the keys that they were created with', async () => {
    const { stdout } = await callCommand(['introspect', database.url]);
    expect(stdout).toContain('primaryKey: [ id ]');
    expect(stdout).toContain('uniqueKey: [ code ]');
    expect(stdout.match(/fields: .*/g)).toEqual(['fields: [ value ] }']);
  });

  test('take every kind of write', async () => {
    await rowsOf(program, 'Price.insert()', { id: 1, code: 'a', value: 1 });
    await rowsOf(program, 'Price.upsert()', { id: 1, code: 'a', value: 2 });
    await rowsOf(program, 'Price.update()', { id: 1, value: 3 });
    const rows = [{ id: 2, code: 'b', value: 5 }];
    const imported = await post(program, '/stages/default/import', {
      entities: [{ entity: 'Price', rows }],
    });
    expect(imported.status, imported.text).toBe(200);
    const stored = 'Price.sort(p=>p.id).map(p=>[p.id,p.value])';
    expect(await rowsOf(program, stored)).toEqual([
      { id: 1, value: 3 },
      { id: 2, value: 5 },
    ]);
    await rowsOf(program, 'Price.delete()', { id: 2 });
    expect(await rowsOf(program, stored)).toEqual([{ id: 1, value: 3 }]);
  });
});
