/** The id under which a request is logged and answered. */
import { randomBytes } from 'node:crypto';
import { numberText } from './http/prebuilt-headers.js';

const PRINTABLE = /^[\x21-\x7e]{1,128}$/;

/** What the ids that are made here begin with: those of two processes do not meet in one log. */
export const REQUEST_ID_PREFIX = `${randomBytes(9).toString('base64url')}-`;
let count = 0;

/** The id of one request: its client's own when that is short printable ASCII, else a number of ours. */
export class RequestId {
  /** 0: the client has named it. */
  readonly number: number;
  readonly #given: string;

  constructor(header: string) {
    const isGiven = header !== '' && PRINTABLE.test(header);
    this.#given = isGiven ? header : '';
    this.number = isGiven ? 0 : ++count;
  }

  get text(): string {
    return this.number === 0 ? this.#given : REQUEST_ID_PREFIX + numberText(this.number);
  }
}
