/**
 * Values that are written as texts of their own form: UUIDs, bytes in base64, intervals and network
 * addresses. The generated intervals and addresses are equal only if their texts are.
 */

export interface Coded {
  readonly kind: 'uuid' | 'binary' | 'interval' | 'inet';
  /** The text by which equal values are written alike. */
  readonly text: string;
}

export function codedOf(kind: Coded['kind'], text: string): Coded {
  if (kind === 'binary') return { kind, text: base64(bytesOf(text)) };
  return { kind, text: kind === 'uuid' ? text.toLowerCase() : text };
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
