/** The console: its page, and the files that the page loads. */
import { type Call, isNoneMatchMet } from '../call.js';
import type { ConsoleFile, ConsoleFiles } from '../console-files.js';
import { codingOf, VARY_CODING } from '../content-coding.js';
import { Refusal } from '../errors.js';

/** `GET /console`, with or without a slash at the end. */
export function consolePage(call: Call): void {
  const { page, pageOutside } = filesOf(call);
  sendFile(call, call.exchange.path.endsWith('/') ? page : pageOutside);
}

/** `GET /console/{file}`. */
export function consoleFile(call: Call): void {
  const [name = ''] = call.parameters;
  const file = filesOf(call).assets.get(name);
  if (file === undefined) throw new Refusal('not-found', 'The console has no such file.');
  sendFile(call, file);
}

function filesOf({ service }: Call): ConsoleFiles {
  const { consoleFiles } = service;
  if (consoleFiles !== undefined) return consoleFiles;
  throw new Refusal('not-found', 'The console is not served here: see the option --console.');
}

/** The file is sent as it is stored: `--compression` has no part in it. */
function sendFile(call: Call, { bytes, gzip, tag, headers }: ConsoleFile): void {
  const { exchange } = call;
  if (exchange.aborted) return;
  const isGzip = gzip !== undefined && codingOf(exchange.headers['accept-encoding']) === 'gzip';
  const ownTag = isGzip ? tag.replace(/"$/, '-gzip"') : tag;
  const all = [
    ...headers,
    VARY_CODING,
    ['etag', ownTag],
    ['x-request-id', call.requestId],
  ] as const;
  const isKnown = isNoneMatchMet(exchange.headers['if-none-match'], ownTag);
  if (isKnown) exchange.respondBodiless(304, all);
  else if (isGzip) exchange.respond(200, [...all, ['content-encoding', 'gzip']], gzip);
  else exchange.respond(200, all, bytes);
  call.observeAnswer(isKnown ? 304 : 200);
}
