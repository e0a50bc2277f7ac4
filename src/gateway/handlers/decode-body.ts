/** Parses the bytes of a body as JSON. For a large body, a worker cuts out the data, which stays bytes. */
import type { SplitBody } from '../../workers/protocol.js';
import type { Call } from '../call.js';
import { Refusal } from '../errors.js';
import { decodeJson, type JsonValue, parseJson } from '../http/body.js';
import { SMALL_BODY_BYTES } from '../http/read-body.js';
import { contain } from './read-json.js';

/** The maximum length of a large body without its data, in characters. */
const AROUND_MAX = 1 << 20;
/** Starts the text that stands for data. */
const MARK = '\u0000';

/** Calls `use` with the JSON of a body, perhaps at once. Throws a `Refusal`, or answers it. */
export function decodeBody(
  call: Call,
  body: Uint8Array<ArrayBuffer>,
  use: (body: JsonValue) => void,
): void {
  const bytes = withoutByteOrderMark(body);
  if (bytes.length <= SMALL_BODY_BYTES) return use(decodeJson(bytes));
  const { dispatcher } = call.service.large;
  const id = dispatcher.ask(
    { type: 'body', bytes },
    {
      split: (split) => contain(call, () => use(readSplit(split))),
      failed: (failure) => call.sendFailure(failure),
    },
    [bytes.buffer],
  );
  call.onAbort(() => dispatcher.cancel(id));
}

/** Some programs begin every text with a byte order mark, which is not JSON (RFC 8259, section 8.1). */
function withoutByteOrderMark(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return hasMark ? bytes.subarray(3) : bytes;
}

function readSplit({ text, cuts }: SplitBody): JsonValue {
  if (text.length > AROUND_MAX) {
    const detail = `The body without its "data" is longer than ${AROUND_MAX} characters.`;
    throw new Refusal('body-too-large', detail);
  }
  const dataOf = (mark: string): Uint8Array | undefined =>
    mark.startsWith(MARK) ? cuts[Number(mark.slice(1))] : undefined;
  return { text, value: parseJson(text), dataOf };
}
