/** Checks and converts base64 (RFC 4648, section 4), in which binary values are sent. */

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
/** The six bits of each letter, by its character code. */
const bitsOf = new Uint8Array(128);
for (let at = 0; at < alphabet.length; at += 1) bitsOf[alphabet.charCodeAt(at)] = at;

const pattern = /^[A-Za-z0-9+/]*={0,2}$/;

/** Whether the text is base64, with its padding. */
export function isBase64(text: string): boolean {
  return text.length % 4 === 0 && pattern.test(text);
}

/** The same bytes in hexadecimal. */
export function hexOfBase64(text: string): string {
  let hex = '';
  for (let at = 0; at < text.length; at += 4) {
    let bits = 1;
    for (let i = at; i < at + 4; i += 1) bits = bits * 64 + (bitsOf[text.charCodeAt(i)] ?? 0);
    hex += bits.toString(16).slice(1);
  }
  const padding = text.length - text.replace(/=+$/, '').length;
  return padding === 0 ? hex : hex.slice(0, -2 * padding);
}
