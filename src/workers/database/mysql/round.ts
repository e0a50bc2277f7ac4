/**
 * Commands that are sent to MySQL or MariaDB at once, and the answers to them in their order. It is
 * a command of the connector: that reads the socket and gives it packet by packet, and no value is
 * parsed (MariaDB manual, "Clients and Utilities: Protocol").
 */
import { readColumn, type WireType } from './mysql-columns.js';
import { mysqlError, ServerFault } from './mysql-errors.js';
import type { RowWriter } from './mysql-rows.js';

/** A statement that the server knows. */
export interface Prepared {
  readonly id: number;
  /** Of its result; the server tells when they change. */
  columns: readonly WireType[];
}

/** Takes a row. What it throws fails the round. */
export type TakeRow = (bytes: Buffer, start: number) => void;

/** What is expected of one command. */
export interface Step {
  /** `fetch`: more rows of an open cursor. */
  readonly kind: 'execute' | 'fetch' | 'query';
  readonly prepared?: Prepared;
  readonly take: TakeRow;
  /** Whether the row may be written over once it was taken. */
  readonly isPassing: boolean;
  /** Told what the statement did, when it returns no rows. */
  readonly wrote?: (count: number, insertId: bigint) => void;
}

export interface RoundOptions {
  readonly bytes: Buffer;
  readonly steps: readonly Step[];
  readonly rows: RowWriter;
  /** Sends the bytes. */
  readonly send: (bytes: Buffer) => void;
  /** Told once, when many rows come that are not wanted. */
  readonly onSurplus: () => void;
}

/** What the connector shows of a packet. */
interface Packet {
  readonly buf: Buffer;
  readonly pos: number;
  readonly end: number;
}

interface ServerInformation {
  readonly serverPermitSkipMeta: boolean;
}

const OK = 0x00;
const END = 0xfe;
const FAULT = 0xff;
const PACKET_BYTES_MAX = 0xffffff;
/** Of the status: a cursor is open, and its last row was sent. */
const CURSOR_OPEN = 0x40;
const LAST_ROW_SENT = 0x80;
/** A fetch from a statement that opened no cursor. */
const NO_CURSOR = 1421;

/** An end as servers wrote it before it looked like an answer without rows. */
const EOF_BYTES = 5;
const SURPLUS_ROWS = 1000;

const nothing = (): void => undefined;

export class MysqlRound {
  /** Of the connector: who takes the next packet; null: the command is over. */
  onPacketReceive:
    | ((packet: Packet, out: unknown, options: unknown, info: ServerInformation) => void)
    | null;
  sequenceNo = -1;
  readonly sending = false;
  readonly #options: RoundOptions;
  readonly #isOver: Promise<boolean>;
  #step = 0;
  #expected: 'head' | 'column' | 'row' = 'head';
  #columns: readonly WireType[] = [];
  #news: WireType[] = [];
  #columnsLeft = 0;
  #surplus = 0;
  #isDropped = false;
  #suspended = false;
  #failure: unknown;
  #failedStep = -1;
  #resolve: (suspended: boolean) => void = nothing;
  #reject: (error: unknown) => void = nothing;

  constructor(options: RoundOptions) {
    this.#options = options;
    this.onPacketReceive = (packet, _out, _options, info) => this.#receive(packet, info);
    this.#isOver = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#begin();
  }

  /** Resolves when every answer is there, to whether an open cursor has more rows. */
  get answered(): Promise<boolean> {
    return this.#isOver;
  }

  /** The step that has failed, counted from 0; -1 where none has. */
  get failedStep(): number {
    return this.#failedStep;
  }

  get isWaiting(): boolean {
    return this.onPacketReceive !== null;
  }

  /** Throws away all rows that are still to come. */
  dropRows(): void {
    this.#isDropped = true;
  }

  /** Of the connector. */
  start(): void {
    this.#options.send(this.#options.bytes);
  }

  /** Of the connector, which waits for the end of a command by events: here it never needs them. */
  once(): void {
    // Nothing is queued behind a round.
  }

  /** Of the connector. */
  prependOnceListener(): void {
    // See `once`.
  }

  /** Of the connector: the connection is gone. */
  throwError(error: unknown): void {
    this.#failure ??= error;
    this.#end();
  }

  /** Of the connector: the connection had ended before. */
  throwNewError(message: string): Error {
    const error = new Error(message);
    this.throwError(error);
    return error;
  }

  #begin(): void {
    const step = this.#options.steps[this.#step];
    if (!step) return this.#end();
    const isRows = step.kind === 'fetch';
    this.#expected = isRows ? 'row' : 'head';
    if (isRows && step.prepared) this.#columns = step.prepared.columns;
  }

  #end(): void {
    if (this.onPacketReceive === null) return;
    this.onPacketReceive = null;
    if (this.#failure === undefined) this.#resolve(this.#suspended);
    else this.#reject(mysqlError(this.#failure));
  }

  #receive({ buf, pos, end }: Packet, info: ServerInformation): void {
    const first = buf[pos];
    if (first === FAULT) return this.#fault(buf, pos, end);
    if (this.#expected === 'row') {
      if (first === END && end - pos < PACKET_BYTES_MAX) this.#endRows(buf, pos, end);
      else this.#row(buf, pos, end);
    } else if (this.#expected === 'column') this.#column(buf, end);
    else if (first === OK) this.#done(buf, pos);
    else this.#head(buf, pos, end, info);
  }

  #next(): void {
    this.#step += 1;
    this.#begin();
  }

  #fault(buf: Buffer, pos: number, end: number): void {
    const errno = buf.readUInt16LE(pos + 1);
    const hasState = buf[pos + 3] === 0x23;
    const sqlState = hasState ? buf.toString('latin1', pos + 4, pos + 9) : 'HY000';
    const message = buf.toString('utf8', pos + (hasState ? 9 : 3), end);
    const isFetch = this.#options.steps[this.#step]?.kind === 'fetch';
    // A statement whose rows are all there has no cursor, and nothing is left to fetch.
    const isNoFault = isFetch && errno === NO_CURSOR;
    if (!isNoFault && this.#failure === undefined) {
      this.#failure = new ServerFault(errno, sqlState, message);
      this.#failedStep = this.#step;
    }
    this.#next();
  }

  /** The statement returned no rows. */
  #done(buf: Buffer, pos: number): void {
    const count = readCount(buf, pos + 1);
    const insertId = readCount(buf, count.next);
    this.#options.steps[this.#step]?.wrote?.(Number(count.value), insertId.value);
    this.#suspended = false;
    this.#next();
  }

  /** The number of columns; what they are follows only when it is news. */
  #head(buf: Buffer, pos: number, end: number, info: ServerInformation): void {
    const { value, next } = readCount(buf, pos);
    const prepared = this.#options.steps[this.#step]?.prepared;
    const areKnown = info.serverPermitSkipMeta && next < end && buf[next] === 0;
    if (areKnown && prepared) {
      this.#columns = prepared.columns;
      this.#expected = 'row';
    } else {
      this.#news = [];
      this.#columnsLeft = Number(value);
      this.#expected = 'column';
    }
  }

  #column(buf: Buffer, end: number): void {
    this.#news.push(readColumn(buf, end));
    this.#columnsLeft -= 1;
    if (this.#columnsLeft > 0) return;
    this.#columns = this.#news;
    const prepared = this.#options.steps[this.#step]?.prepared;
    if (prepared) prepared.columns = this.#columns;
    this.#expected = 'row';
  }

  #row(buf: Buffer, pos: number, end: number): void {
    const step = this.#options.steps[this.#step];
    if (this.#isDropped || this.#failure !== undefined || !step) return this.#countSurplus();
    const { rows } = this.#options;
    try {
      const start = rows.write(buf, pos, end, this.#columns);
      step.take(rows.bytes, start);
      if (step.isPassing) rows.rewind(start);
    } catch (error) {
      this.#failure = error;
    }
  }

  /** A long result that nobody wants is worth a word to the server. */
  #countSurplus(): void {
    this.#surplus += 1;
    if (this.#surplus === SURPLUS_ROWS) this.#options.onSurplus();
  }

  #endRows(buf: Buffer, pos: number, end: number): void {
    const status = end - pos === EOF_BYTES ? buf.readUInt16LE(pos + 3) : readStatus(buf, pos);
    this.#suspended = (status & CURSOR_OPEN) !== 0 && (status & LAST_ROW_SENT) === 0;
    this.#next();
  }
}

/** Behind the numbers of rows and of the row that was inserted last. */
function readStatus(buf: Buffer, pos: number): number {
  return buf.readUInt16LE(readCount(buf, readCount(buf, pos + 1).next).next);
}

/** A length-encoded number. */
function readCount(buf: Buffer, at: number): { readonly value: bigint; readonly next: number } {
  const first = buf[at] ?? 0;
  if (first < 0xfb) return { value: BigInt(first), next: at + 1 };
  if (first === 0xfc) return { value: BigInt(buf.readUInt16LE(at + 1)), next: at + 3 };
  if (first === 0xfd) return { value: BigInt(buf.readUIntLE(at + 1, 3)), next: at + 4 };
  return { value: buf.readBigUInt64LE(at + 1), next: at + 9 };
}
