/**
 * Classifies why a database cannot be reached, so that clients learn the reason but no hosts or names.
 */
import { SourceError } from './source-error.js';

/** A reason that has a text of its own. */
export type Reason = keyof typeof reasons;

/** The reasons, by error codes of Node.js, SQLSTATEs and error numbers of MySQL. */
const reasons = {
  host: ['its host is unknown', /^(ENOTFOUND|EAI_\w+)$/],
  refused: ['the connection was refused', /^(ECONNREFUSED|ENOENT|EHOSTUNREACH|ENETUNREACH)$/],
  timeout: ['it did not answer in time', /^(ETIMEDOUT|ER_CONNECTION_TIMEOUT|45012|9001|9501)$/],
  user: ['its user or password was refused', /^(28\w{3}|1045|1130|1698)$/],
  database: ['the database does not exist, or its user may not use it', /^(3D000|1044|1049)$/],
  key: ['the password cannot be sent without TLS or allowPublicKeyRetrieval', /^45044$/],
  full: ['it has no connection left', /^(53300|1040|1203|1226)$/],
  tls: ['TLS or its certificate was refused', /TLS|SSL|CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)/],
} as const satisfies Record<string, readonly [text: string, codes: RegExp]>;

const names = Object.keys(reasons) as readonly Reason[];

/** Undefined if the cause is none of them. */
export function reasonOf(cause: unknown): Reason | undefined {
  const codes = codesOf(cause);
  return names.find((name) => codes.some((code) => reasons[name][1].test(code)));
}

export function unreachable(cause: unknown, sqlstate?: string): SourceError {
  const reason = reasonOf(cause);
  const detail = reason && `The database cannot be reached: ${reasons[reason][0]}.`;
  return new SourceError('source-unavailable', { sqlstate, detail, cause });
}

/** The codes of an error and of its causes. For a server that refuses TLS, pg has only a message. */
function codesOf(error: unknown): readonly string[] {
  if (!(error instanceof Error)) return [];
  const { code, errno, sqlState } = { code: '', errno: '', sqlState: '', ...error };
  const own = [code, errno, sqlState].map(String);
  const tls = /\b(SSL|TLS|certificate)\b/i.test(error.message) ? ['TLS'] : [];
  return [...own, ...tls, ...codesOf(error.cause)];
}
