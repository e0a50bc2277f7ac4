/** Strong entity tags of answers, and whether a client has the answer already (RFC 9110, 8.8 and 13). */
import { hash } from 'node:crypto';

/** The tag of a body: of its bytes, and of the coding in which they are sent. */
export function entityTagOf(body: string, coding: string | undefined): string {
  const digest = hash('sha1', body, 'base64url');
  return coding === undefined ? `"${digest}"` : `"${digest}-${coding}"`;
}

/** Whether If-None-Match names the tag, by the weak comparison that is asked of it. */
export function isNoneMatchMet(ifNoneMatch: string, tag: string): boolean {
  if (ifNoneMatch === '') return false;
  if (ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.match(/"[\x21\x23-\x7e\x80-\xff]*"/g)?.includes(tag) ?? false;
}
