/** What an evaluation may ask of the world: the engine itself has no clock and no secrets. */

/** Encrypts and decrypts texts. Both throw for a key that cannot be one. */
export interface Cipher {
  encrypt(text: string, key: string): string;
  /** Throws for a text that this key has not encrypted. */
  decrypt(text: string, key: string): string;
}

/** Handed in by whoever evaluates. */
export interface Capabilities {
  /** The instant of the request, as canonical dateTime text. */
  readonly now: string;
  readonly cipher: Cipher;
}
