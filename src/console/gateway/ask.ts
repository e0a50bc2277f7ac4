/** Sends requests to the gateway. */
import { authorization, keyWasRefused } from './key.js';
import { readProblem, Refused, unanswered } from './problem.js';
import { endpoint } from './root.js';

export interface Question {
  /** Sent as JSON in a POST request; without it, the request is a GET. */
  readonly body?: unknown;
  readonly accept?: string;
  readonly signal?: AbortSignal | undefined;
}

/** The answer, before its body is read. Rejects with `Refused`, or with an abort of the signal. */
export async function open(path: string, question: Question): Promise<Response> {
  const { body, accept = 'application/json', signal } = question;
  const isPost = body !== undefined;
  const headers = {
    accept,
    ...authorization(),
    ...(isPost && { 'content-type': 'application/json' }),
  };
  const response = await fetch(endpoint(path), {
    method: isPost ? 'POST' : 'GET',
    headers,
    signal: signal ?? null,
    ...(isPost && { body: JSON.stringify(body) }),
  }).catch((cause: unknown) => {
    throw signal?.aborted === true ? cause : new Refused(unanswered(cause));
  });
  if (response.ok) return response;
  if (response.status === 401) keyWasRefused();
  throw new Refused(readProblem(response.status, await response.text()));
}

/** The JSON of an answer. Rejects like `open`. */
export async function ask(path: string, question: Question = {}): Promise<unknown> {
  const response = await open(path, question);
  return response.json();
}

/** Whether the gateway has an endpoint. */
export async function hasEndpoint(path: string): Promise<boolean> {
  const response = await fetch(endpoint(path), { method: 'OPTIONS' }).catch(() => undefined);
  return response?.ok === true;
}
