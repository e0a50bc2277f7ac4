/** The whole answer, head and body, to a request that the parser of node:http refused. */
import { problemBody } from '../errors.js';
import { statusLine } from './status-line.js';

/** The bytes to send before hanging up. */
export function refusalOf(error: Error): string {
  const tooLarge = 'code' in error && error.code === 'HPE_HEADER_OVERFLOW';
  const { status, body } = problemBody(
    tooLarge
      ? { code: 'headers-too-large', detail: 'The headers of the request are too large.' }
      : { code: 'request-malformed', detail: 'The request is not well-formed HTTP/1.1.' },
    undefined,
  );
  return [
    `HTTP/1.1 ${statusLine(status)}`,
    'content-type: application/problem+json',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
    '',
    body,
  ].join('\r\n');
}
