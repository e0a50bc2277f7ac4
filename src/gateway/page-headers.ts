/** The headers of pages for browsers. */
import type { Header } from './http/exchange.js';

/** A page loads nothing from other hosts, and has no inline scripts or styles. */
const POLICY = [
  "default-src 'none'",
  ...["script-src 'self'", "style-src 'self'", "connect-src 'self'", "img-src 'self' data:"],
  ...["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
].join('; ');

export const NO_SNIFFING: Header = ['x-content-type-options', 'nosniff'];

/** The headers of a page, and of the files of `/docs`, besides their type. */
export const PAGE_HEADERS: readonly Header[] = [
  ['content-security-policy', POLICY],
  NO_SNIFFING,
  ['referrer-policy', 'no-referrer'],
  ['cache-control', 'no-cache'],
];
