/** Finds the error of an NDJSON answer that failed after rows had been sent: it is the last line. */
import { isObject } from '../gateway/json-value.js';
import { formatProblem } from './ask-gateway.js';

/** No error is longer. */
const LINE_BYTES_MAX = 64 * 1024;

/** Passes the bytes of an answer on. Throws at the end if the last line is an error. */
export async function* rejectLateProblem(
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let end = Buffer.alloc(0);
  for await (const bytes of body) {
    end = Buffer.concat([end, bytes.subarray(-LINE_BYTES_MAX)]).subarray(-LINE_BYTES_MAX);
    yield bytes;
  }
  const line = end.toString().trimEnd().split('\n').at(-1) ?? '';
  const problem = line.startsWith('{"error":') ? lateProblem(JSON.parse(line)) : undefined;
  if (problem !== undefined) throw new Error(problem);
}

/** The text of the error that the last line holds in place of a row. An earlier line is a row, whatever it holds. */
export function lateProblem(line: unknown): string | undefined {
  if (!isObject(line) || Object.keys(line).length !== 1) return undefined;
  const { error } = line;
  const isProblem = isObject(error) && String(error['type']).startsWith('urn:rowgate:problem:');
  return isProblem ? formatProblem(error) : undefined;
}
