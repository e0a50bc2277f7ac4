/** Answers to requests that never reach a handler. */
import { STATUS_CODES } from 'node:http';
import { type KnownProblem, problemBody } from '../errors.js';
import type { Header } from './exchange.js';

export const HEADERS_TOO_LARGE = problemAnswer({
  code: 'headers-too-large',
  detail: 'The headers of the request are too large: send fewer cookies or shorter headers.',
});

export const REQUEST_MALFORMED = problemAnswer({
  code: 'request-malformed',
  detail: 'The request is not well-formed HTTP/1.1.',
});

export interface ProblemAnswer {
  readonly status: number;
  readonly headers: readonly Header[];
  readonly body: string;
}

function problemAnswer(problem: KnownProblem): ProblemAnswer {
  const { status, body } = problemBody(problem, undefined);
  const headers: readonly Header[] = [['content-type', 'application/problem+json']];
  return { status, headers, body };
}

/** What to send, before closing the connection, for a request that the parser of node:http refused. */
export function refusalOf(error: Error): string {
  const tooLarge = 'code' in error && error.code === 'HPE_HEADER_OVERFLOW';
  const { status, headers, body } = tooLarge ? HEADERS_TOO_LARGE : REQUEST_MALFORMED;
  const lines = headers.map(([name, value]) => `${name}: ${value}`);
  const length = `content-length: ${Buffer.byteLength(body)}`;
  const head = [`HTTP/1.1 ${statusLine(status)}`, ...lines, length, 'connection: close'];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

/** `200 OK` */
export function statusLine(status: number): string {
  return `${status} ${STATUS_CODES[status] ?? 'Unknown'}`;
}
