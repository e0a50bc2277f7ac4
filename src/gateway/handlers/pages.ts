/** The pages `/` and `/docs`, and the files of `/docs`. They load nothing from other hosts. */
import type { Call } from '../call.js';
import { Refusal } from '../errors.js';
import { readPreferences } from '../http/qualities.js';
import { PAGE_HEADERS } from '../page-headers.js';
import { docsPage, docsScript, homePage, STYLE } from '../page-texts.js';

const HTML = 'text/html; charset=utf-8';

/**
 * `GET /`: a page for browsers. Other clients get a 404, because the interface document has no such
 * endpoint.
 */
export function home(call: Call): void {
  call.exchange.addHeaders([['vary', 'accept']]);
  const { accept } = call.exchange.headers;
  if (!readPreferences(accept).some(({ name, quality }) => name === 'text/html' && quality > 0)) {
    throw new Refusal('not-found', 'There is no endpoint at this path.');
  }
  send(call, HTML, homePage(call.service.version));
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
