/** Checks that importing an export restores the same tables. */
import { describeReply } from '../drive/client.js';
import { type Answered, canonicalText, isObject, parseAnswer } from '../judge/answered.js';
import type { Step } from './round.js';
import { tableFault } from '../judge/table-fault.js';
import { refill } from '../judge/judge-write.js';

/** Exports all rows, empties the tables, imports the rows, and exports them again. */
export async function checkTransfer({ world, report, server, seed }: Step): Promise<void> {
  const { client, domain, tables } = world;
  report.count('transfers');
  const wrong = (fault: string): void =>
    report.fail({
      kind: `transfer: ${fault.slice(0, 30)}`,
      text: `${fault}\non ${server.dialect}, seed ${seed}`,
    });
  const before = await client.get('/stages/default/export');
  await world.database.empty();
  const imported = await client.post('/stages/default/import', before.text);
  if (imported.status !== 200) wrong(`the import of an export fails: ${describeReply(imported)}`);
  const after = await client.get('/stages/default/export');
  if (sortedRows(before.text) !== sortedRows(after.text))
    wrong('the exports before and after an import differ');
  const fault = await tableFault(client, domain, tables);
  if (fault !== undefined) wrong(`after an export and an import: ${fault}`);
  await refill(world, tables);
}

/** The rows of each entity, sorted by their text. */
function sortedRows(text: string): string {
  const document = parseAnswer(text);
  const entities = isObject(document) ? document['entities'] : undefined;
  if (!Array.isArray(entities)) return text;
  const lists = entities.map((each: Answered) => {
    const rows = isObject(each) ? each['rows'] : undefined;
    const name = isObject(each) ? canonicalText(each['entity'] ?? null) : '';
    return `${name} ${Array.isArray(rows) ? rows.map(canonicalText).sort().join('\n') : ''}`;
  });
  return lists.sort().join('\n\n');
}
