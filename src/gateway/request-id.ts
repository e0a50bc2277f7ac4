/** The id under which a request is logged and answered. */
import { randomBytes } from 'node:crypto';
import { numberText } from './http/prebuilt-headers.js';

const PRINTABLE = /^[\x21-\x7e]{1,128}$/;

/** The prefix of generated ids, so that ids of two processes differ in one log. */
export const REQUEST_ID_PREFIX = `${randomBytes(9).toString('base64url')}-`;
let count = 0;

/** The id of a request: the client's own if it is short printable ASCII, otherwise a number. */
export class RequestId {
  /** 0: the client's own id is used. */
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
