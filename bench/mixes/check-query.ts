/** Compares the answers of a server with those of hand-written queries. */
import { isDeepStrictEqual } from 'node:util';
import { type Ask, queryRequest } from '../cases/case.js';
import type { Row } from '../rivals/answer-query.js';
import { type BenchQuery, STORED_ORDER } from './queries.js';

/** A query with the data of a request. */
export interface Asked {
  readonly query: BenchQuery;
  readonly data: Readonly<Row>;
}

/** Computes an answer by a hand-written query, without any server. */
export type Reference = (asked: Asked) => Promise<unknown>;

const SHOWN_LENGTH = 600;

/** Rejects if the answer is wrong. After a write, the stored row is read by the reference. */
export async function checkQuery(asked: Asked, ask: Ask, reference: Reference): Promise<void> {
  const { query, data } = asked;
  const answer = await ask(queryRequest('/execute', query.expression, data));
  const expect = (actual: unknown, expected: unknown) => {
    if (!isDeepStrictEqual(actual, expected)) throw new Error(difference(asked, actual, expected));
  };
  const stored = (id: unknown) => reference({ query: STORED_ORDER, data: { id } });
  switch (query.answer) {
    case 'row': {
      const { id }: Row = Object(answer);
      expect(answer, { ...Object(answer), ...data });
      return expect([answer], await stored(id));
    }
    case 'count': {
      expect(answer, 1);
      const [row]: Row[] = Object(await stored(data['id']));
      return expect(row, { ...row, ...data });
    }
    default:
      return expect(arranged(query, answer), arranged(query, await reference(asked)));
  }
}

/** Without a sort in the query, any order is right. */
function arranged({ isSorted }: BenchQuery, answer: unknown): unknown {
  if (isSorted || !Array.isArray(answer)) return answer;
  return answer.toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : 1));
}

function textOf(row: unknown): string {
  return JSON.stringify(Object.entries(Object(row)).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function difference({ query, data }: Asked, actual: unknown, expected: unknown): string {
  const [is, should] = [actual, expected].map((each) =>
    JSON.stringify(each).slice(0, SHOWN_LENGTH),
  );
  return `${query.expression} of ${JSON.stringify(data)} is\n${is}\nwhere this was expected:\n${should}`;
}
