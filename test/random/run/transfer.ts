/** Checks that importing an export restores the same tables, and that unknown members are ignored. */
import { LosslessNumber } from 'lossless-json';
import { codeOf, describeReply } from '../drive/client.js';
import { type Answered, canonicalText, isObject, parseAnswer } from '../judge/answered.js';
import type { Step } from './round.js';
import { tableFault } from '../judge/table-fault.js';
import { refill } from '../judge/judge-write.js';
import { importDocument } from '../world/schema-file.js';

/** Exports all rows, empties the tables, imports the rows, and exports them again. */
export async function checkTransfer(step: Step): Promise<void> {
  const { world, report, server, seed } = step;
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
  await world.database.empty();
  const ignored = await ignoredFault(step);
  if (ignored !== undefined) wrong(ignored);
  await refill(world, tables);
}

/** Imports the rows with a member that the schema does not know. What is wrong; undefined if it is right. */
async function ignoredFault({ world, random }: Step): Promise<string | undefined> {
  const { client, domain, tables } = world;
  const name = random.pick(['fax', 'ID', 'rows', '__id', 'é "']);
  const body = importDocument(domain, tables, [name]);
  const strict = await client.post('/stages/default/import?strict=true', body);
  const isEmpty = [...tables.values()].every(({ length }) => length === 0);
  if (!isEmpty && codeOf(strict) !== 'unknown-property')
    return `a strict import with '${name}': ${describeReply(strict)}`;
  const reply = await client.post('/stages/default/import', body);
  const answer = parseAnswer(reply.text);
  const found = isObject(answer) ? (answer['ignored'] ?? {}) : null;
  const counts = [...tables].flatMap(([entity, { length }]) =>
    length > 0 ? [[`${entity}.${name}`, new LosslessNumber(String(length))] as const] : [],
  );
  if (canonicalText(found) !== canonicalText(Object.fromEntries(counts)))
    return `the members '${name}' are not ignored: ${describeReply(reply)}`;
  return tableFault(client, domain, tables);
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
