/** A client whose requests a simulated gateway answers. */
import { type ClientOptions, createClient } from '../../clients/typescript/src/index.js';
import type { Domain } from './domain.js';

export type Answer = () => Response | Promise<Response>;

/** A client whose requests are answered by `answers`, one after the other, and then with `[]`. */
export function clientOf(answers: readonly Answer[], more: Partial<ClientOptions> = {}) {
  const sent: { body: unknown; headers: Headers; at: number }[] = [];
  const options: ClientOptions = {
    url: 'http://gateway',
    fetch: async (_url, init) => {
      const body = JSON.parse(String(init?.body));
      sent.push({ body, headers: new Headers(init?.headers), at: performance.now() });
      return (await answers[sent.length - 1]?.()) ?? new Response('[]');
    },
    ...more,
  };
  return { db: createClient<Domain>(options), sent };
}

/** An error of the gateway. */
export function problem(status: number, code: string, headers: Record<string, string> = {}) {
  const body = { type: `urn:rowgate:problem:${code}`, title: '', status, code, detail: code };
  return () => new Response(JSON.stringify(body), { status, headers });
}

export const broken: Answer = () => Promise.reject(new TypeError('fetch failed'));
export const cut: Answer = () =>
  new Response(
    new ReadableStream({ pull: (controller) => controller.error(new TypeError('terminated')) }),
  );

/** An answer of NDJSON. */
export const lines =
  (...answers: readonly object[]) =>
  () =>
    new Response(answers.map((each) => `${JSON.stringify(each)}\n`).join(''));
