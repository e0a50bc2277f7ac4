/** The headers of a request on uWebSockets.js, which are gone once its handler returns. */
import type { HttpRequest } from 'uWebSockets.js';
import { CLOSE, EMPTY_HEADER, type RequestHeaders } from './exchange.js';

interface CopiedHeaders {
  readonly headers: RequestHeaders;
  readonly bytes: number;
  /** Whether the end of the body or the host is ambiguous. */
  readonly malformed: boolean;
  /** Whether the client asks to close the connection. */
  readonly isLast: boolean;
  readonly hasBody: boolean;
}

const CHUNKED = /^chunked$/i;

/**
 * Walks over all headers once and measures them. Repeated lists are joined. Of another repeated header, the first one
 * that is not empty counts; of `Authorization`, the first one.
 */
export function copyHeaders(request: HttpRequest): CopiedHeaders {
  let contentType = '';
  let accept = '';
  let contentLength = '';
  let requestId = '';
  let traceparent = '';
  let ifNoneMatch = '';
  let acceptEncoding = '';
  let idempotencyKey = '';
  let contentEncoding = '';
  let origin = '';
  let forwardedFor = '';
  let authorization: string | undefined;
  let malformed = false;
  let isLast = false;
  let hasHost = false;
  let hasTransferCoding = false;
  let bytes = 0;
  // Variables instead of members, because the names are new strings, which are slow as keys.
  request.forEach((name, value) => {
    bytes += name.length + value.length;
    // Compares the length first, because comparing new strings is expensive.
    switch (name.length) {
      case 4:
        if (name !== 'host') return;
        malformed ||= hasHost;
        hasHost = true;
        return;
      case 6:
        if (name === 'accept') accept = joined(accept, value);
        else if (name === 'origin') origin ||= value;
        return;
      case 10:
        if (name === 'connection') isLast ||= CLOSE.test(value);
        return;
      case 11:
        if (name === 'traceparent') traceparent ||= value;
        return;
      case 12:
        if (name === 'content-type') contentType ||= value;
        else if (name === 'x-request-id') requestId ||= value;
        return;
      case 13:
        if (name === 'authorization') authorization ??= value;
        else if (name === 'if-none-match') ifNoneMatch = joined(ifNoneMatch, value);
        return;
      case 14:
        if (name !== 'content-length') return;
        // The library uses the first length, but a proxy may have used another one.
        malformed ||= contentLength !== '' || value === '';
        contentLength = value;
        return;
      case 15:
        if (name === 'accept-encoding') acceptEncoding = joined(acceptEncoding, value);
        // The library strips non-ASCII characters, which can leave an empty value.
        else if (name === 'idempotency-key') idempotencyKey ||= value || EMPTY_HEADER;
        else if (name === 'x-forwarded-for') forwardedFor = joined(forwardedFor, value);
        return;
      case 16:
        if (name === 'content-encoding') contentEncoding ||= value;
        return;
      case 17:
        if (name !== 'transfer-encoding') return;
        // The library reads any coding as chunked.
        malformed ||= hasTransferCoding || !CHUNKED.test(value);
        hasTransferCoding = true;
        return;
      default:
    }
  });
  const headers: RequestHeaders = {
    'content-type': contentType,
    'content-encoding': contentEncoding,
    accept,
    'content-length': contentLength,
    'x-request-id': requestId,
    traceparent,
    'if-none-match': ifNoneMatch,
    'accept-encoding': acceptEncoding,
    'idempotency-key': idempotencyKey,
    origin,
    'x-forwarded-for': forwardedFor,
    authorization: authorization ?? '',
  };
  const hasBody = contentLength !== '' || hasTransferCoding;
  return { headers, bytes, malformed, isLast, hasBody };
}

function joined(list: string, value: string): string {
  return list === '' ? value : `${list}, ${value}`;
}
