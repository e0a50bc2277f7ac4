/** A buffer that grows, for what is written to a socket in one piece. */

const FIRST_BYTES = 16 * 1024;
const KEPT_BYTES_MAX = 1 << 20;

export abstract class GrowingBuffer {
  protected buffer = Buffer.allocUnsafeSlow(FIRST_BYTES);
  protected length = 0;

  get isEmpty(): boolean {
    return this.length === 0;
  }

  /** A copy of what was written since the last call. The buffer is used again. */
  take(): Buffer {
    const bytes = Buffer.from(this.buffer.subarray(0, this.length));
    this.length = 0;
    if (this.buffer.length > KEPT_BYTES_MAX) this.buffer = Buffer.allocUnsafeSlow(FIRST_BYTES);
    return bytes;
  }

  /** Makes room for more bytes. */
  protected reserve(bytes: number): void {
    const wanted = this.length + bytes;
    if (wanted <= this.buffer.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(wanted, this.buffer.length * 2));
    this.buffer.copy(grown, 0, 0, this.length);
    this.buffer = grown;
  }
}
