/**
 * Characters of texts: Unicode code points, which databases count. None of these functions makes an array of all
 * characters of a text: V8 ends the whole process if an array is too long.
 */

export function countCharacters(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at = next(text, at)) count += 1;
  return count;
}

/** Whether a text has more characters than that. It never has more of them than UTF-16 units. */
export function isLonger(text: string, characters: number): boolean {
  return text.length > characters && offsetOf(text, characters) < text.length;
}

/** The characters from `start` to before `end`; both are whole or infinite numbers from 0. */
export function sliceCharacters(text: string, start: number, end: number): string {
  const from = offsetOf(text, start);
  return text.slice(from, offsetOf(text, end - start, from));
}

/** The UTF-16 offset after that many characters, counted from an offset; the text's length if it has fewer. */
function offsetOf(text: string, characters: number, from = 0): number {
  let at = from;
  for (let left = characters; left > 0 && at < text.length; left -= 1) at = next(text, at);
  return at;
}

/** Each character of a text as another text. */
export function mapCharacters(text: string, change: (character: string) => string): string {
  return piecesOf(text)
    .map((piece) => Array.from(piece, change).join(''))
    .join('');
}

export function reverseCharacters(text: string): string {
  return piecesOf(text)
    .reverse()
    .map((piece) => [...piece].reverse().join(''))
    .join('');
}

const PIECE_LENGTH = 4096;

/** Short pieces of a text that do not end within a character. */
function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    const end = offsetOf(text, PIECE_LENGTH, at);
    pieces.push(text.slice(at, end));
    at = end;
  }
  return pieces;
}

export function codePointsOf(text: string): Int32Array {
  const codes = new Int32Array(text.length);
  let count = 0;
  for (let at = 0; at < text.length; at = next(text, at)) {
    codes[count] = text.codePointAt(at) ?? 0;
    count += 1;
  }
  return codes.subarray(0, count);
}

function next(text: string, at: number): number {
  return at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);
}
