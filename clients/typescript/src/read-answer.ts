/**
 * Reads answers. For exact numbers, the gateway is asked for the types of the columns before the
 * query is sent.
 */
import type { Context } from './context.js';
import { type ModelField, parseAnswer, withNumbers } from './json.js';
import type { CallOptions } from './options.js';
import { send, startLimit } from './send.js';

/** Reads the answers of one query. */
export interface AnswerReader {
  readonly read: (text: string) => unknown;
  /** The second half of `read`, for an answer that is parsed already. */
  readonly finish: (parsed: unknown) => unknown;
}

const MODELS_MAX = 1000;

export async function readerOf(
  context: Context,
  query: string,
  call: Pick<CallOptions, 'stage' | 'view'>,
): Promise<AnswerReader> {
  if (!context.isExact)
    return { read: (text) => parseAnswer(text, false), finish: (parsed) => parsed };
  const model = await modelOf(context, query, call);
  const finish = (parsed: unknown) => withNumbers(parsed, model);
  return { read: (text) => finish(parseAnswer(text, true)), finish };
}

function modelOf(
  { options: client, models }: Context,
  query: string,
  { stage = client.stage, view = client.view }: Pick<CallOptions, 'stage' | 'view'>,
): Promise<readonly ModelField[]> {
  const body = JSON.stringify({ query, options: { stage, view } });
  const known = models.get(body);
  if (known) return known;
  const [oldest] = models.keys();
  if (oldest !== undefined && models.size >= MODELS_MAX) models.delete(oldest);
  const asked = askModel(client, body);
  models.set(body, asked);
  asked.catch(() => models.delete(body));
  return asked;
}

async function askModel(client: Context['options'], body: string): Promise<readonly ModelField[]> {
  const limit = startLimit(client, {});
  const sending = { path: 'model', accept: 'application/json', body, isRepeatable: true, limit };
  try {
    return await send(client, {}, sending, async (got) => (await got.json()) as ModelField[]);
  } finally {
    limit.end();
  }
}
