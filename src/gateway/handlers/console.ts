/** The console: its page, and the files that the page loads. */
import type { Call } from '../call.js';
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

/** Sends the compressed bytes if there are any and the client accepts them. */
function sendFile(call: Call, { bytes, gzip, tag, headers }: ConsoleFile): void {
  const { 'accept-encoding': accepted } = call.exchange.headers;
  const all = [...headers, VARY_CODING];
  if (gzip === undefined || codingOf(accepted) !== 'gzip') call.sendFile(tag, all, bytes);
  else call.sendFile(tag.replace(/"$/, '-gzip"'), [...all, ['content-encoding', 'gzip']], gzip);
}
