/** Sends several requests as one transaction. */
import type { Context } from './context.js';
import { parseAnswer, toJsonText } from './json.js';
import type { TransactionOptions } from './options.js';
import { readerOf } from './read-answer.js';
import { listOf, partsOf, type Request, StepReference } from './request.js';
import { send, startLimit } from './send.js';

/** The answers of the steps, in their order. */
export type Answers<S extends readonly Request<unknown>[]> = {
  -readonly [I in keyof S]: S[I] extends Request<infer T> ? T : never;
};

export async function runTransaction<S extends readonly Request<unknown>[]>(
  context: Context,
  steps: S,
  options: TransactionOptions = {},
): Promise<Answers<S>> {
  const { options: client } = context;
  const { isolation, readOnly, stage = client.stage, view = client.view } = options;
  const made = steps.map(partsOf);
  const body = {
    steps: made.map(({ query, data }) => ({ query, data })),
    options: { isolation, readOnly, stage, view },
  };
  const sending = {
    path: 'transaction',
    accept: 'application/json',
    body: toJsonText(body, (value) => referenceTo(steps, value)),
    isRepeatable: options.idempotencyKey !== undefined || !made.some(({ writes }) => writes),
  };
  const limit = startLimit(client, options);
  try {
    const asked = made.map(({ query }) => readerOf(context, query, options, limit));
    const readers = await Promise.all(asked);
    return await send(client, options, { ...sending, limit }, async (response) => {
      const answers = listOf(parseAnswer(await response.text(), context.isExact));
      const results = made.map(async ({ read }, step) =>
        read(await readers[step]?.finish(answers[step])),
      );
      return (await Promise.all(results)) as Answers<S>;
    });
  } finally {
    limit.end();
  }
}

function referenceTo(steps: readonly object[], value: unknown): unknown {
  if (!(value instanceof StepReference)) return value;
  const step = steps.indexOf(value.request);
  if (step < 0) throw new TypeError('ref() refers to a step of another transaction.');
  return { $ref: `${step}.${value.path}` };
}
