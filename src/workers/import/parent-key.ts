/**
 * How nested rows come to the key of their parent: as text when the parent told it before them, else
 * by the parent's number, by which the database finds it once all rows are staged.
 */
import { invalid } from '../../engine/index.js';
import type { GivenKey } from './flat-row.js';
import type { Nesting } from './staging.js';

/** A row whose parent's key is not known yet. */
export interface UnknownParent {
  readonly nesting: Nesting;
  readonly ordinal: number;
}

/** A key that a nested row gave by itself. */
interface Claim {
  readonly text: string;
  readonly place: string;
}

type Texts = (string | null | undefined)[];

export class ParentKey {
  readonly #nesting: Nesting;
  #ordinal = 0;
  #text: string | undefined;
  #claim: Claim | undefined;
  #hasUnknown = false;

  constructor(nesting: Nesting) {
    this.#nesting = nesting;
  }

  /** Which of the nested row's properties it fills. */
  get index(): number {
    return this.#nesting.childIndex;
  }

  /** Present while nested rows cannot be given their parent's key. */
  get unknownParent(): UnknownParent | undefined {
    if (this.#text !== undefined) return undefined;
    return { nesting: this.#nesting, ordinal: this.#ordinal };
  }

  /** What every nested row gets, once it is known. */
  get given(): GivenKey | undefined {
    return this.#text === undefined ? undefined : { index: this.index, text: this.#text };
  }

  /** Another parent begins. */
  forget(): void {
    this.#claim = undefined;
    this.#hasUnknown = false;
  }

  /** The rows of a parent begin; `text` is its key, if it has been read. */
  begin(ordinal: number, text: string | undefined): void {
    this.#ordinal = ordinal;
    this.#text = text;
  }

  /** Puts the parent's key into a nested row; one that it gave by itself must be the same. */
  fill(texts: Texts, place: () => string): void {
    const own = texts[this.index];
    if (this.#text === undefined) {
      this.#hasUnknown = true;
      this.#refuseAcrossSources(place);
    }
    if (typeof own === 'string') {
      const at = `${place()}.${this.#nesting.childName}`;
      this.#refuseOther(own, at, this.#text ?? this.#claim?.text);
      this.#claim ??= { text: own, place: at };
    }
    texts[this.index] = this.#text ?? null;
  }

  /** The parent is complete: its key, as text or null, is now known, unless it is yet to be made. */
  settle(text: string | null | undefined, place: () => string): void {
    if (!this.#hasUnknown) return;
    const { parentName, isGenerated } = this.#nesting;
    if (typeof text === 'string') {
      if (this.#claim) this.#refuseOther(this.#claim.text, this.#claim.place, text);
    } else if (!isGenerated) {
      const detail = `'${parentName}' must not be null: rows nest under it.`;
      throw invalid(`${place()}.${parentName}`, detail);
    }
  }

  #refuseOther(own: string, place: string, parent: string | undefined): void {
    if (parent === undefined || isSameKey(own, parent)) return;
    const { childName, parentName } = this.#nesting;
    throw invalid(place, `'${childName}' differs from the '${parentName}' of the row around it.`);
  }

  #refuseAcrossSources(place: () => string): void {
    if (!this.#nesting.isAcrossSources) return;
    const { parentName, childName } = this.#nesting;
    const detail = `The row around it must tell its '${parentName}' first: it is in another source.`;
    throw invalid(`${place()}.${childName}`, detail);
  }
}

/** Integers may be written in several ways. */
function isSameKey(one: string, other: string): boolean {
  if (one === other) return true;
  const digits = /^[+-]?\d+$/;
  return digits.test(one) && digits.test(other) && BigInt(one) === BigInt(other);
}
