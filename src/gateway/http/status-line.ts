/** Status lines for uWebSockets.js: `200 OK`. */
import { STATUS_CODES } from 'node:http';

const lines = new Map<number, string>();

export function statusLine(status: number): string {
  const known = lines.get(status);
  if (known !== undefined) return known;
  const line = `${status} ${STATUS_CODES[status] ?? 'Unknown'}`;
  lines.set(status, line);
  return line;
}
