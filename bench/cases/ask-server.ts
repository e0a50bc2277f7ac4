/** Sends the requests that check a server before it is measured. */
import type { Contestant } from '../contestants.js';
import type { Ask, BenchCase, HttpRequest } from './case.js';
import { fromGraphql, toGraphql } from './graphql.js';
import { askListed, listSizeOf } from './listed.js';

const TIMEOUT_MS = 10_000;

/** Rejects at the first wrong answer. The constant server is checked only where its answer can be right. */
export async function checkContestant(benchCase: BenchCase, { name, url }: Contestant) {
  if (name === 'uws-constant' && benchCase.name !== 'ping') return;
  const direct: Ask = async (request) => JSON.parse(await ask(url, request));
  const inGraphql: Ask = async (request) =>
    fromGraphql(benchCase.name, await direct(toGraphql(benchCase.name, request)));
  try {
    await benchCase.check(name === 'postgraphile' ? inGraphql : direct);
    if (listSizeOf(benchCase, name)) await benchCase.check(askListed(direct));
  } catch (cause) {
    throw new Error(`${name}: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  }
}

/** An answer whose status is not 200. */
export class StatusError extends Error {
  readonly status: number;

  constructor(status: number, text: string) {
    super(`The status is ${status}: ${text}`);
    this.status = status;
  }
}

/** The text of an answer. Throws a {@link StatusError} if its status is not 200. */
export async function ask(url: string, { method, path, body }: HttpRequest): Promise<string> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const headers = { 'content-type': 'application/json' };
  const content = method === 'POST' ? { body, headers } : {};
  const response = await fetch(url + path, { method, signal, ...content });
  const text = await response.text();
  if (response.status !== 200) throw new StatusError(response.status, text);
  return text;
}
