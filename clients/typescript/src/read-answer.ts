/**
 * Reads answers. For exact numbers, the gateway is asked for the types of the columns before the
 * query is sent.
 */
import type { Context } from './context.js';
import { AnswerError } from './errors.js';
import { type ModelField, parseAnswer, withNumbers } from './json.js';
import type { CallOptions } from './options.js';
import { type Limit, send, startLimit, within } from './send.js';

/** Reads the answers of one query. */
export interface AnswerReader {
  readonly read: (text: string) => Promise<unknown>;
  /** The second half of `read`, for an answer that is parsed already. */
  readonly finish: (parsed: unknown) => Promise<unknown>;
}

const MODELS_MAX = 1000;

export async function readerOf(
  context: Context,
  query: string,
  call: Pick<CallOptions, 'stage' | 'view'>,
  limit: Limit,
): Promise<AnswerReader> {
  const { isExact } = context;
  const ask = () => within(limit, modelOf(context, query, call));
  let model = isExact ? await ask() : undefined;
  const finish = async (parsed: unknown): Promise<unknown> => {
    if (!model) return parsed;
    try {
      return withNumbers(parsed, model.fields);
    } catch (error) {
      if (!(error instanceof AnswerError)) throw error;
    }
    // The schema of the gateway may have changed since the model was asked for.
    model.forget();
    model = await ask();
    return withNumbers(parsed, model.fields);
  };
  return { read: async (text) => finish(parseAnswer(text, isExact)), finish };
}

interface Model {
  readonly fields: readonly ModelField[];
  /** The next query asks again. */
  forget(): void;
}

async function modelOf(
  { options: client, models }: Context,
  query: string,
  { stage = client.stage, view = client.view }: Pick<CallOptions, 'stage' | 'view'>,
): Promise<Model> {
  // Not by key: tokens change often, and `finish` asks again if a number does not fit.
  const body = JSON.stringify({ query, options: { stage, view } });
  const asked = models.get(body) ?? askModel(client, body);
  const forget = () => {
    if (models.get(body) === asked) models.delete(body);
  };
  if (!models.has(body)) {
    const [oldest] = models.keys();
    if (oldest !== undefined && models.size >= MODELS_MAX) models.delete(oldest);
    models.set(body, asked);
    asked.catch(forget);
  }
  return { fields: await asked, forget };
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
