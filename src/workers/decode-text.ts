/** How this runtime reads UTF-8; the engine has no means of its own. */
export function decodeText(bytes: Uint8Array, start: number, end: number): string {
  if (bytes instanceof Buffer) return bytes.toString('utf8', start, end);
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8');
}
