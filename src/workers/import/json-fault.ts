/** What is wrong with a text that is no JSON. */

/** A text that is no JSON; offsets count bytes. */
export class JsonFault extends Error {
  constructor(detail: string, options?: ErrorOptions) {
    super(detail, options);
    this.name = 'JsonFault';
  }
}

/** What stands at this byte may not stand there. */
export function unexpected(offset: number): JsonFault {
  return new JsonFault(`The document is not JSON: what stands at byte ${offset} is not expected.`);
}
