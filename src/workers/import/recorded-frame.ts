/** Rows that come before the name of their entity: kept, within a bound, until it is known. */
import { malformed } from '../../engine/index.js';
import type { Frame } from './frame.js';
import type { JsonListener, JsonScalar } from './json-events.js';

/** An estimate in bytes of what is kept. */
const KEPT_MAX = 8 << 20;
/** What each part costs beside its text. */
const PART_BYTES = 32;

type Part = (listener: JsonListener) => void;

const openObject: Part = (listener) => listener.openObject();
const openList: Part = (listener) => listener.openList();
const close: Part = (listener) => listener.close();

export class RecordedFrame implements Frame {
  readonly #place: string;
  readonly #parts: Part[] = [];
  #kept = 0;
  #depth = 0;

  constructor(place: string) {
    this.#place = place;
  }

  /** Hands all that was kept to `listener`, as what stands in `frame`, and closes that. */
  replay(listener: JsonListener, frame: Frame): void {
    for (const part of this.#parts) part(listener);
    frame.close();
  }

  key(name: string): void {
    this.#keep((listener) => listener.key(name), name.length);
  }

  scalar(value: JsonScalar): void {
    const length = typeof value === 'string' ? value.length : 0;
    this.#keep((listener) => listener.scalar(value), length);
  }

  object(): Frame {
    return this.#open(openObject);
  }

  list(): Frame {
    return this.#open(openList);
  }

  close(): void {
    if (this.#depth === 0) return;
    this.#depth -= 1;
    this.#keep(close, 0);
  }

  place(): string {
    return this.#place;
  }

  #open(part: Part): Frame {
    this.#depth += 1;
    this.#keep(part, 0);
    return this;
  }

  #keep(part: Part, length: number): void {
    this.#kept += PART_BYTES + 2 * length;
    if (this.#kept > KEPT_MAX) {
      const detail = `So many 'rows' must come behind the name of their 'entity'.`;
      throw malformed(this.#place, detail);
    }
    this.#parts.push(part);
  }
}
