/**
 * What an evaluation needs from its caller, because the engine itself has no clock and no secrets.
 */
import type { TextBudget } from './bounded-text.js';

/** Encrypts and decrypts texts. Both throw for an invalid key. */
export interface Cipher {
  encrypt(text: string, key: string): string;
  /** Throws if the text was not encrypted with this key. */
  decrypt(text: string, key: string): string;
}

/** Provided by the caller. */
export interface Capabilities {
  /** The instant of the request, as canonical dateTime text. */
  readonly now: string;
  readonly cipher: Cipher;
  /** Counts the texts that evaluations make; absent if only each of them is limited. */
  readonly budget?: TextBudget | undefined;
}
