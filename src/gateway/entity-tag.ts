/** Entity tags of answers (RFC 9110, 8.8.3). */
import { hash } from 'node:crypto';

/** The entity tag of a body. It depends on the coding in which the body is sent. */
export function entityTagOf(body: string | Uint8Array, coding?: string): string {
  const digest = hash('sha1', body, 'base64url');
  return coding === undefined ? `"${digest}"` : `"${digest}-${coding}"`;
}

/** Whether If-None-Match names the tag, by weak comparison. */
export function isNoneMatchMet(ifNoneMatch: string, tag: string): boolean {
  if (ifNoneMatch === '') return false;
  if (ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.match(/"[\x21\x23-\x7e\x80-\xff]*"/g)?.includes(tag) ?? false;
}
