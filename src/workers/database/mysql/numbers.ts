/** The length-encoded numbers of the protocol of MySQL and MariaDB. */

/** A length-encoded number, if a double can represent it. */
export function readNumber(bytes: Buffer, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0xfb) return first;
  if (first === 0xfc) return bytes.readUInt16LE(at + 1);
  if (first === 0xfd) return bytes.readUIntLE(at + 1, 3);
  return Number(bytes.readBigUInt64LE(at + 1));
}

/** The offset after a length-encoded number. */
export function skipNumber(bytes: Buffer, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0xfb) return at + 1;
  if (first === 0xfc) return at + 3;
  return first === 0xfd ? at + 4 : at + 9;
}
