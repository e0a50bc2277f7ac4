/** Clients that read an answer to its end and discard it: curl, and psql for COPY. */
import type { DatabaseConnection } from '../database.js';
import { runProcess } from '../run-process.js';

const TIMEOUT_MS = 60_000;

/** An answer that was read to its end. */
export interface StreamRead {
  readonly seconds: number;
  readonly firstByteMs: number;
  readonly bytes: number;
}

export interface CurlOrder {
  readonly curl: string;
  readonly url: string;
  /** The expression. */
  readonly query: string;
  /** Undefined: as fast as possible. */
  readonly bytesPerSecond?: number;
  /** Stops reading; if undefined, reading stops at the end of the answer. */
  readonly secondsMax?: number;
}

const TIMED_OUT = 28;

/** Sends a query to `/execute` with curl. */
export async function readByCurl(order: CurlOrder): Promise<StreamRead> {
  const { curl, url, query, bytesPerSecond, secondsMax } = order;
  const words = [
    ...['-sS', '-o', '/dev/null', '-H', 'content-type: application/json', '--fail'],
    ...['-w', '%{time_total} %{time_starttransfer} %{size_download}'],
    ...(bytesPerSecond === undefined ? [] : ['--limit-rate', String(bytesPerSecond)]),
    ...(secondsMax === undefined ? [] : ['--max-time', String(secondsMax)]),
    ...['-d', JSON.stringify({ query }), `${url}/execute`],
  ];
  const accepts = secondsMax === undefined ? [0] : [0, TIMED_OUT];
  const { output } = await runProcess({ program: curl, words, accepts }, TIMEOUT_MS);
  const [seconds = 0, firstByte = 0, bytes = 0] = output.split(' ').map(Number);
  return { seconds, firstByteMs: firstByte * 1000, bytes };
}

/** Copies the rows of a statement out with psql. Returns the duration in seconds. */
export async function copyByPsql(
  psql: string,
  { host, port, user, database, password }: DatabaseConnection,
  statement: string,
): Promise<number> {
  const words = [
    ...['-X', '-q', '-h', host, '-p', String(port), '-U', user, '-d', database],
    ...['-o', '/dev/null', '-c', `COPY (${statement}) TO STDOUT`],
  ];
  const environment = password === undefined ? {} : { PGPASSWORD: password };
  const startedAt = performance.now();
  await runProcess({ program: psql, words, environment }, TIMEOUT_MS);
  return (performance.now() - startedAt) / 1000;
}
