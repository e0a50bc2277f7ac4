/** The headers of a problem (RFC 9457). */
import { mayBeRepeated } from './errors.js';
import type { Header } from './http/exchange.js';

const PROBLEM_TYPE: Header = ['content-type', 'application/problem+json'];
/** The value of `Retry-After` for a refused request, in seconds. */
const RETRY_AFTER: Header = ['retry-after', '1'];

/** The headers that follow from the code and the status; `authorization` is the header of the request. */
export function problemHeaders(code: string, status: number, authorization: string): Header[] {
  const headers = [PROBLEM_TYPE];
  if (mayBeRepeated(code)) headers.push(RETRY_AFTER);
  if (status === 401) headers.push(challenge(authorization !== ''));
  return headers;
}

/** RFC 6750, section 3. */
function challenge(isTokenGiven: boolean): Header {
  return ['www-authenticate', isTokenGiven ? 'Bearer error="invalid_token"' : 'Bearer'];
}
