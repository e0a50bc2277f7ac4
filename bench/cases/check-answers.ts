/** Asks a contestant what is asked in the bench, before anything is timed. */
import { isDeepStrictEqual } from 'node:util';
import type { BenchCase, Check, HttpRequest } from './case.js';

const TIMEOUT_MS = 10_000;
const SHOWN_LENGTH = 600;

/** Throws at the first answer that is wrong. */
export async function checkAnswers(
  url: string,
  { checks }: BenchCase,
  contestant: string,
): Promise<void> {
  for (const check of checks) {
    const text = await ask(url, check.request);
    if (isRight(check, JSON.parse(text))) continue;
    const expected = JSON.stringify(check.expected).slice(0, SHOWN_LENGTH);
    throw new Error(
      `${contestant} answers ${check.request.body || check.request.path} with\n` +
        `${text.slice(0, SHOWN_LENGTH)}\nwhere this was expected:\n${expected}`,
    );
  }
}

/** The text of a request's answer; throws when its status is not 200. */
export async function ask(url: string, { method, path, body }: HttpRequest): Promise<string> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const headers = { 'content-type': 'application/json' };
  const content = method === 'POST' ? { body, headers } : {};
  const response = await fetch(url + path, { method, signal, ...content });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${path} answers ${response.status}: ${text}`);
  return text;
}

function isRight({ expected, project }: Check, answer: unknown): boolean {
  return isDeepStrictEqual(project ? project(answer) : answer, expected);
}
