/** Expressions of the schema file that contain encryption keys. */

/** Whether an expression may contain an encryption key. */
export function holdsSecret(text: string): boolean {
  return /\b(en|de)crypt\b/.test(text);
}
