/**
 * What an evaluation needs from its caller, because the engine itself has no clock and no secrets.
 */

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
}
