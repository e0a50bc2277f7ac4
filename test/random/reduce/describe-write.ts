/** Describes a failed write so that it can be pasted: the query, its data, and the rows before it. */
import { jsonOfData } from '../evaluate/data.js';
import type { Question } from '../judge/judge.js';
import type { Failure } from '../run/report.js';
import type { Step } from '../run/round.js';
import { judgeWrite, refill } from '../judge/judge-write.js';
import { importDocument, schemaFile } from '../world/schema-file.js';
import type { View } from '../world/view.js';
import { smallerDomain } from './smaller-domain.js';

/** What was wrong with a write at first, and the view through which it was sent. */
export interface FirstFault {
  readonly fault: string;
  readonly isSteady: boolean;
  readonly view?: View | undefined;
}

/** Repeats the write on the rows of the world. */
export async function describeWrite(
  { world, server, seed }: Step,
  question: Question,
  { fault: first, isSteady, view }: FirstFault,
): Promise<Failure> {
  await refill(world, world.tables);
  const verdict = await judgeWrite(world, world, question, { view });
  const { text, data } = question;
  // The expressions of a view may name everything.
  const small = view ? world : smallerDomain(world, text);
  const schema = schemaFile(small.domain, { dialect: server.dialect, connection: {} }, { view });
  const { fault, expected, found, sort } =
    verdict.kind === 'wrong'
      ? verdict
      : {
          fault: `right when written again, at first: ${first}`,
          expected: '',
          found: '',
          sort: 'once',
        };
  const clause = text.replaceAll(/\b[A-Z]\w*(\.\w+)?/g, 'E').replaceAll(/[\w.$]*\b[pq]\.\w+/g, 'x');
  const lines = [
    `query     ${text}`,
    `data      ${jsonOfData(data)}`,
    `expected  ${expected}`,
    `got       ${found}`,
    `fault     ${fault}${isSteady ? '' : ' (not again on the same rows)'}`,
    `on        ${server.dialect}, seed ${seed}${view ? ', under the view' : ''}`,
    `rows      ${importDocument(small.domain, small.tables)}`,
    `schema    ${JSON.stringify(schema)}`,
  ];
  const kind = view ? `view, ${sort}` : sort;
  return { kind: `${kind}: ${clause.slice(0, 60)}`, text: lines.join('\n') };
}
