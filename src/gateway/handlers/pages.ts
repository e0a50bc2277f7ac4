/** The pages `/`, `/docs` and `/console`, and their files. They load nothing from other hosts. */
import type { Call } from '../call.js';
import type { ConsoleFile, ConsoleFiles } from '../console-files.js';
import { codingOf, VARY_CODING } from '../content-coding.js';
import { ENDPOINTS_HINT, Refusal } from '../errors.js';
import { readPreferences } from '../http/qualities.js';
import { PAGE_HEADERS } from '../page-headers.js';
import { docsPage, docsScript, homePage, STYLE } from '../page-texts.js';

const HTML = 'text/html; charset=utf-8';

/** `GET /`: a page for browsers. Others get a 404: the interface document has no such endpoint. */
export function home(call: Call): void {
  call.exchange.addHeaders([['vary', 'accept']]);
  const { accept } = call.exchange.headers;
  if (!readPreferences(accept).some(({ name, quality }) => name === 'text/html' && quality > 0)) {
    const detail = 'This path has a page for browsers only.';
    throw new Refusal('not-found', detail, { hint: ENDPOINTS_HINT });
  }
  const { version, configuration } = call.service;
  send(call, HTML, homePage(version, configuration.adminPort === undefined));
}

/** `GET /docs`, with or without a slash at the end. */
export function docs(call: Call): void {
  const isFolder = call.exchange.path.endsWith('/');
  send(call, HTML, isFolder ? docsPage('..', '.') : docsPage('.', 'docs'));
}

/** `GET /docs/{name}`. */
export function docsFile(call: Call): void {
  const [name = ''] = call.parameters;
  if (name === 'docs.css') return send(call, 'text/css; charset=utf-8', STYLE);
  if (name === 'docs.js') return send(call, 'text/javascript; charset=utf-8', docsScript());
  throw new Refusal('not-found', 'The page has no such file.');
}

function send(call: Call, type: string, text: string): void {
  call.exchange.addHeaders(PAGE_HEADERS);
  call.sendText(type, text);
}

/** `GET /console`, with or without a slash at the end. */
export function consolePage(call: Call): void {
  const { page, pageOutside } = filesOf(call);
  sendConsole(call, call.exchange.path.endsWith('/') ? page : pageOutside);
}

/** `GET /console/{file}`. */
export function consoleFile(call: Call): void {
  const [name = ''] = call.parameters;
  const file = filesOf(call).assets.get(name);
  if (file === undefined) throw new Refusal('not-found', 'The console has no such file.');
  sendConsole(call, file);
}

function filesOf({ service }: Call): ConsoleFiles {
  const { consoleFiles } = service;
  if (consoleFiles !== undefined) return consoleFiles;
  throw new Refusal('not-found', 'The console is not served here: see the option --console.');
}

/** Sends the compressed bytes if there are any and the client accepts them. */
function sendConsole(call: Call, { bytes, gzip, tag, headers }: ConsoleFile): void {
  const { 'accept-encoding': accepted } = call.exchange.headers;
  const all = [...headers, VARY_CODING];
  if (gzip === undefined || codingOf(accepted) !== 'gzip') call.sendFile(tag, all, bytes);
  else call.sendFile(tag.replace(/"$/, '-gzip"'), [...all, ['content-encoding', 'gzip']], gzip);
}
