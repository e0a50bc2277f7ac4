/**
 * Who takes the parts of a document: a frame for each open bracket, which knows what may stand in
 * it. Frames are made once and used again for every row, so that rows cost no objects.
 */
import type { JsonListener, JsonScalar } from './json-events.js';

/** An open object or list. What it does not take it refuses with an `ImportError`. */
export interface Frame {
  /** The name of the next value; only in objects. */
  key(name: string): void;
  scalar(value: JsonScalar): void;
  /** See `JsonListener`; absent: never. */
  takeObject?(bytes: Buffer, at: number): number;
  /** The frame of an object that opens as the next value. */
  object(): Frame;
  /** The frame of a list that opens as the next value. */
  list(): Frame;
  /** All of it was read. */
  close(): void;
  /** Where it stands in the document: `entities[3].rows[17]`. */
  place(): string;
}

/** Hands the parts of a JSON text to the frames that they stand in. */
export class FrameStack implements JsonListener {
  readonly #frames: Frame[];
  #top: Frame;

  /** `outermost` takes the text as its only value. */
  constructor(outermost: Frame) {
    this.#frames = [outermost];
    this.#top = outermost;
  }

  /** Where the reading has come to. */
  get place(): string {
    return this.#top.place();
  }

  takeObject(bytes: Buffer, at: number): number {
    return this.#top.takeObject?.(bytes, at) ?? -1;
  }

  openObject(): void {
    this.#push(this.#top.object());
  }

  openList(): void {
    this.#push(this.#top.list());
  }

  key(name: string): void {
    this.#top.key(name);
  }

  scalar(value: JsonScalar): void {
    this.#top.scalar(value);
  }

  close(): void {
    const closed = this.#frames.pop();
    this.#top = this.#frames[this.#frames.length - 1] ?? this.#top;
    closed?.close();
  }

  #push(frame: Frame): void {
    this.#frames.push(frame);
    this.#top = frame;
  }
}
