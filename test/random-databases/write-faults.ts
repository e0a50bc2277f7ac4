/** Writes rows of an entity as they were read, which must change nothing. */
import { type Answer, post, type Program } from '../support/program.js';
import type { Random } from '../random/random.js';
import { type Entity, type Row, rowsOf } from './entity.js';

export async function writeFaults(
  program: Program,
  entity: Entity,
  random: Random,
): Promise<readonly string[]> {
  const faults: string[] = [];
  const { name, primaryKey, uniqueKey, properties } = entity;
  const all = await rowsOf(program, name);
  if (typeof all === 'string') return faults;
  const written = properties.filter(({ readOnly }) => readOnly !== true).map((each) => each.name);
  const send = async (
    clause: string,
    data: unknown,
    isRight: (answer: Answer) => boolean = ({ status }) => status === 200,
  ): Promise<Answer> => {
    const answer = await post(program, '/execute', { query: `${name}.${clause}()`, data });
    if (!isRight(answer)) {
      faults.push(`${name}.${clause}(${JSON.stringify(data)}): ${answer.status} ${answer.text}`);
    }
    return answer;
  };
  const rows = random
    .some(all, 4)
    .map((row): Row => Object.fromEntries(written.map((each) => [each, row[each]])));
  if (primaryKey.length === 0) {
    const isKeyed = (row: Row) => uniqueKey.every((key) => row[key] !== null);
    if (uniqueKey.length > 0) for (const row of rows.filter(isKeyed)) await send('upsert', row);
    return faults;
  }
  const gone: Row[] = [];
  for (const row of rows) {
    for (const clause of ['update', 'upsert']) await send(clause, row);
    await send('insert', row, ({ status }) => status === 409);
    const { status } = await send('delete', row, (answer) => [200, 409].includes(answer.status));
    if (status !== 200) continue;
    if (random.chance(0.5)) await send('insert', row);
    else gone.push(row);
  }
  // Their order may matter: a row may refer to another one of the same table.
  if (gone.length > 0) await send('bulkInsert', gone.toReversed());
  await send('bulkUpsert', rows);
  return faults;
}
