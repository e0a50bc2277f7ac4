/** Posts a document of any size, and waits for its answer as long as that takes. */
import { request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/**
 * Resolves with the answer, which may come before the whole body has gone. Rejects as `fetch` does,
 * which is not used because it waits for an answer five minutes at most.
 */
export function sendDocument(url: string, body: AsyncIterable<Uint8Array>): Promise<Response> {
  const request = url.startsWith('https:') ? overHttps : overHttp;
  const headers = { 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const fail = (cause: unknown) => reject(new TypeError('The request failed.', { cause }));
    const sent = request(url, { method: 'POST', headers });
    sent.once('response', (answer) => {
      const status = answer.statusCode ?? 500;
      resolve(new Response(Readable.toWeb(answer) as ReadableStream<Uint8Array>, { status }));
    });
    // Also what breaks after the answer ends here, where it changes nothing.
    sent.on('error', fail);
    pipeline(Readable.from(body, { objectMode: false }), sent).catch(fail);
  });
}
