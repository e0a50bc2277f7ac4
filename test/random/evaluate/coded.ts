/** Values that are written as texts of their own form: UUIDs, and bytes in base64. */

export interface Coded {
  readonly kind: 'uuid' | 'binary';
  /** The text by which equal values are written alike. */
  readonly text: string;
}

export function codedOf(kind: Coded['kind'], text: string): Coded {
  return { kind, text: kind === 'uuid' ? text.toLowerCase() : base64(bytesOf(text)) };
}

/** By their bytes. */
export function compareCoded(a: Coded, b: Coded): number {
  if (a.kind === 'binary') return Buffer.compare(bytesOf(a.text), bytesOf(b.text));
  return a.text < b.text ? -1 : Number(a.text > b.text);
}

function bytesOf(text: string): Buffer {
  return Buffer.from(text, 'base64');
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64');
}
