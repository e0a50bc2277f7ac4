/** Why a database cannot be reached, as a class that tells clients nothing of hosts and names. */
import { SourceError } from './source-error.js';

/** By codes of Node.js, SQLSTATEs, and numbers of MySQL. */
const reasons: readonly (readonly [reason: string, codes: RegExp])[] = [
  ['its host is unknown', /^(ENOTFOUND|EAI_\w+)$/],
  ['the connection was refused', /^(ECONNREFUSED|ENOENT|EHOSTUNREACH|ENETUNREACH)$/],
  ['it did not answer in time', /^(ETIMEDOUT|ER_CONNECTION_TIMEOUT|45012)$/],
  ['its user or password was refused', /^(28\w{3}|1045|1130|1698)$/],
  ['there is no such database, or it may not be used', /^(3D000|1044|1049)$/],
  ['it has no connection left', /^(53300|1040|1203|1226)$/],
  ['TLS was refused, or its certificate', /TLS|SSL|CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)/],
];

/** The error of a connection that cannot be had. */
export function unreachable(cause: unknown, sqlstate?: string): SourceError {
  const codes = codesOf(cause);
  const known = reasons.find(([, pattern]) => codes.some((code) => pattern.test(code)));
  const detail = known && `The database cannot be reached: ${known[0]}.`;
  return new SourceError('source-unavailable', { sqlstate, detail, cause });
}

/** The codes of an error and of what caused it; pg has none for a server that refuses TLS. */
function codesOf(error: unknown): readonly string[] {
  if (!(error instanceof Error)) return [];
  const { code, errno, sqlState } = { code: '', errno: '', sqlState: '', ...error };
  const own = [code, errno, sqlState].map(String);
  const tls = /\b(SSL|TLS|certificate)\b/i.test(error.message) ? ['TLS'] : [];
  return [...own, ...tls, ...codesOf(error.cause)];
}
