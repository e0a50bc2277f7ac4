/**
 * Classes of UTF-16 units, as in JavaScript's grammar. Each takes a result of `charCodeAt`; NaN,
 * after the end of a text, is in no class.
 */

/** `[A-Za-z_$]` */
export function isNameStart(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95 || code === 36;
}

/** `[A-Za-z0-9_$]` */
export function isNamePart(code: number): boolean {
  return isNameStart(code) || isDigit(code);
}

/** `[0-9]` */
export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** LineTerminator: \n, \r, U+2028, U+2029. */
export function isLineBreak(code: number): boolean {
  return code === 10 || code === 13 || code === 0x2028 || code === 0x2029;
}

/** WhiteSpace or LineTerminator: the blanks of ASCII, the byte order mark, Unicode's Zs. */
export function isBlank(code: number): boolean {
  if (code < 128) return code === 32 || (code >= 9 && code <= 13);
  return isWideBlank(code);
}

function isWideBlank(code: number): boolean {
  if (code >= 0x2000 && code <= 0x200a) return true;
  return isLineBreak(code) || wideBlanks.has(code);
}

const wideBlanks: ReadonlySet<number> = new Set([0xa0, 0x1680, 0x202f, 0x205f, 0x3000, 0xfeff]);
