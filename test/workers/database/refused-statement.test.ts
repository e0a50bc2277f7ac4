/** A statement of MySQL or MariaDB that Rowgate refuses although the server has prepared it. */
import { expect, test } from 'vitest';
import { ORDINAL_PART, ServerFault } from '../../../src/workers/database/mysql/errors.js';
import { CommandWriter } from '../../../src/workers/database/mysql/command-writer.js';
import { RowWriter } from '../../../src/workers/database/mysql/rows.js';
import { SentRun } from '../../../src/workers/database/mysql/sent-run.js';
import type { Prepared } from '../../../src/workers/database/mysql/statements.js';

const unused = () => expect.unreachable();
const sending = { isRepeated: false, isAlone: true, about: undefined };
const runOf = (statements: readonly Prepared[]) =>
  new SentRun({ steps: [], end: unused }, statements, sending);

test('is closed once if no run needs it any more', () => {
  const refused: ServerFault[] = [];
  const writer = new CommandWriter(
    {
      rows: new RowWriter(),
      prepared: (_, fault) => {
        if (fault) refused.push(fault);
      },
      done: unused,
      failed: unused,
      hasSurplus: unused,
    },
    true,
  );
  const statement = writer.prepare('SELECT 1');
  writer.release(runOf([statement]));
  writer.take();
  statement.id = 7;
  const fault = new ServerFault(ORDINAL_PART, '', 'The statement is sorted by an ENUM or a SET.');
  writer.oldest?.failed(fault);
  expect(refused).toEqual([fault]);
  writer.release(runOf([]));
  const close = Buffer.from([5, 0, 0, 0, 0x19, 7, 0, 0, 0]);
  expect(writer.take()).toEqual(close);
});
