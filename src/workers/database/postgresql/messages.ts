/**
 * Writes messages of PostgreSQL's extended query protocol (manual, protocol-message-formats) into
 * one buffer, so that a round trip is one write to the socket.
 */
import { GrowingBuffer } from '../growing-buffer.js';

const PARSE = 0x50;
const BIND = 0x42;
const EXECUTE = 0x45;
const CLOSE = 0x43;
const SYNC = 0x53;
const COPY_DATA = 0x64;
const COPY_DONE = 0x63;
const STATEMENT = 0x53;
const PORTAL = 0x50;

/**
 * Collects messages until `take` returns them. Its buffer is reused. Each thread needs only one
 * writer, because a round trip is written without interruption.
 */
export class MessageWriter extends GrowingBuffer {
  parse(name: string, text: string): void {
    const start = this.#begin(PARSE);
    this.#text(name);
    this.#text(text);
    this.#int16(0);
    this.#end(start);
  }

  /** Parameters and columns are sent as text. */
  bind(portal: string, name: string, parameters: readonly (string | null)[]): void {
    const start = this.#begin(BIND);
    this.#text(portal);
    this.#text(name);
    this.#int16(0);
    this.#int16(parameters.length);
    for (const parameter of parameters) this.#parameter(parameter);
    this.#int16(0);
    this.#end(start);
  }

  /** At most `rowsMax` rows; 0: all. */
  execute(portal: string, rowsMax: number): void {
    const start = this.#begin(EXECUTE);
    this.#text(portal);
    this.#int32(rowsMax);
    this.#end(start);
  }

  /** All lines of a COPY from the client. */
  copy(lines: Buffer): void {
    const start = this.#begin(COPY_DATA);
    this.reserve(lines.length);
    this.length += lines.copy(this.buffer, this.length);
    this.#end(start);
    this.#end(this.#begin(COPY_DONE));
  }

  closeStatement(name: string): void {
    this.#close(STATEMENT, name);
  }

  closePortal(name: string): void {
    this.#close(PORTAL, name);
  }

  sync(): void {
    this.#end(this.#begin(SYNC));
  }

  #close(what: number, name: string): void {
    const start = this.#begin(CLOSE);
    this.reserve(1);
    this.buffer[this.length++] = what;
    this.#text(name);
    this.#end(start);
  }

  #begin(code: number): number {
    this.reserve(5);
    this.buffer[this.length] = code;
    this.length += 5;
    return this.length - 4;
  }

  #end(start: number): void {
    this.buffer.writeInt32BE(this.length - start, start);
  }

  #parameter(parameter: string | null): void {
    if (parameter === null) return this.#int32(-1);
    this.reserve(4 + parameter.length * 3);
    const written = this.buffer.write(parameter, this.length + 4, 'utf8');
    this.buffer.writeInt32BE(written, this.length);
    this.length += 4 + written;
  }

  #text(text: string): void {
    this.reserve(text.length * 3 + 1);
    this.length += this.buffer.write(text, this.length, 'utf8');
    this.buffer[this.length++] = 0;
  }

  #int16(value: number): void {
    this.reserve(2);
    this.buffer.writeUInt16BE(value, this.length);
    this.length += 2;
  }

  #int32(value: number): void {
    this.reserve(4);
    this.buffer.writeInt32BE(value, this.length);
    this.length += 4;
  }
}
