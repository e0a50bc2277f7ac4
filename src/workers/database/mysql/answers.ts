/**
 * Reads the server's answers to commands, packet by packet and in order (MariaDB manual, "Clients
 * and Utilities: Protocol"). Values are not parsed here. A hot path (bench, "point").
 */
import { isOrdinalPart, readColumn, type WireType } from './columns.js';
import { PACKET_BYTES_MAX } from './deframer.js';
import { ORDINAL_PART, ServerFault } from './errors.js';
import { readNumber, skipNumber } from './numbers.js';
import { ProtocolError } from '../protocol-error.js';
import type { Prepared } from './statements.js';

/** A command that was sent: the form of its answer, and its receiver. */
export interface Command {
  /** `prepared`: a statement's number. `result`: columns, or none. `rows`: rows without columns. */
  readonly answer: 'prepared' | 'result' | 'rows';
  /** The number of the first packet of its answer. */
  answerNumber: number;
  /** The statement that it prepares or executes. Its columns are set when the server reports them. */
  readonly statement: Prepared | undefined;
  prepared?(): void;
  /** Receives the packet of a row. */
  row(packet: Buffer, start: number, end: number): void;
  /** Before its end: the first AUTO_INCREMENT key that it stored without returning rows. */
  inserted?(key: number): void;
  /** The command has ended: how many rows it wrote, whether its cursor has more, and the number of warnings. */
  done(count: number, hasMore: boolean, warnings: number): void;
  failed(fault: ServerFault): void;
}

const OK = 0x00;
const END = 0xfe;
const FAULT = 0xff;
/** Bits of the server's status. */
const IN_TRANSACTION = 0x01;
const AUTOCOMMIT = 0x02;
const CURSOR_OPEN = 0x40;
const LAST_ROW_SENT = 0x80;
const SESSION_CHANGED = 0x4000;

/** The size of the answer to a preparation; MariaDB may add a byte. */
const PREPARED_BYTES = 12;

const HASH = 0x23;
const SQLSTATE_LENGTH = 5;

export class AnswerReader {
  #expected: 'first' | 'definition' | 'row' = 'first';
  #status = AUTOCOMMIT;
  #statementId = 0;
  /** How many definitions are still to come; those of parameters come first. */
  #definitionsLeft = 0;
  #parametersLeft = 0;
  #columns: WireType[] = [];
  #hasOrdinalPart = false;

  /** Whether the next packet begins an answer. */
  get isAtStart(): boolean {
    return this.#expected === 'first';
  }

  /** Whether a transaction is open, as last reported by the server. */
  get isInTransaction(): boolean {
    return (this.#status & IN_TRANSACTION) !== 0;
  }

  /** Whether statements outside a transaction commit by themselves. */
  get isAutocommit(): boolean {
    return (this.#status & AUTOCOMMIT) !== 0;
  }

  /** Reads the next packet of the answer to `command`; returns whether it was the last. */
  take(command: Command, bytes: Buffer, start: number, end: number): boolean {
    if (isFault(bytes, start)) {
      this.#expected = 'first';
      command.failed(readFault(bytes, start, end));
      return true;
    }
    const first = bytes[start];
    if (this.#expected === 'definition') return this.#definition(command, bytes, start, end);
    if (this.#expected === 'first' && command.answer !== 'rows') {
      if (command.answer === 'prepared') return this.#prepared(command, bytes, start, end);
      if (first === OK) return this.#done(command, bytes, start, end);
      return this.#head(bytes, start, end);
    }
    if (first === END && end - start < PACKET_BYTES_MAX)
      return this.#endRows(command, bytes, start, end);
    this.#expected = 'row';
    command.row(bytes, start, end);
    return false;
  }

  #prepared(command: Command, bytes: Buffer, start: number, end: number): boolean {
    if (end - start < PREPARED_BYTES || end - start > PREPARED_BYTES + 1) {
      throw new ProtocolError('A prepared statement is broken.');
    }
    this.#statementId = bytes.readInt32LE(start + 1);
    this.#parametersLeft = bytes.readUInt16LE(start + 7);
    this.#expectDefinitions(this.#parametersLeft + bytes.readUInt16LE(start + 5));
    return this.#definitionsLeft === 0 && this.#endDefinitions(command);
  }

  /** The number of columns. Their definitions follow only if they have changed. */
  #head(bytes: Buffer, start: number, end: number): boolean {
    const next = skipNumber(bytes, start);
    if (end > next + 1) throw new ProtocolError('The number of columns is broken.');
    if (next < end && bytes[next] === 0) this.#expected = 'row';
    else this.#expectDefinitions(readNumber(bytes, start));
    return false;
  }

  #expectDefinitions(count: number): void {
    this.#expected = 'definition';
    this.#definitionsLeft = count;
    this.#columns = [];
    this.#hasOrdinalPart = false;
  }

  #definition(command: Command, bytes: Buffer, start: number, end: number): boolean {
    if (this.#parametersLeft > 0) this.#parametersLeft -= 1;
    else {
      this.#columns.push(readColumn(bytes, start, end));
      this.#hasOrdinalPart ||= isOrdinalPart(bytes, start, end);
    }
    this.#definitionsLeft -= 1;
    return this.#definitionsLeft === 0 && this.#endDefinitions(command);
  }

  #endDefinitions(command: Command): boolean {
    const { statement } = command;
    const isPrepared = command.answer === 'prepared';
    if (statement) statement.columns = this.#columns;
    if (statement && isPrepared) statement.id = this.#statementId;
    this.#expected = isPrepared ? 'first' : 'row';
    if (isPrepared && this.#hasOrdinalPart)
      command.failed(
        new ServerFault(ORDINAL_PART, '', 'The statement is sorted by an ENUM or a SET.'),
      );
    else if (isPrepared) command.prepared?.();
    return isPrepared;
  }

  /** The statement returned no rows. */
  #done(command: Command, bytes: Buffer, start: number, end: number): boolean {
    const statusAt = statusOffset(bytes, start);
    if (!isEnd(bytes, statusAt, end)) throw new ProtocolError('The end is broken.');
    this.#status = bytes.readUInt16LE(statusAt);
    const key = readNumber(bytes, skipNumber(bytes, start + 1));
    if (key !== 0) command.inserted?.(key);
    command.done(readNumber(bytes, start + 1), false, 0);
    return true;
  }

  #endRows(command: Command, bytes: Buffer, start: number, end: number): boolean {
    const statusAt = statusOffset(bytes, start);
    if (!isEnd(bytes, statusAt, end)) throw new ProtocolError('The end of rows is broken.');
    const status = bytes.readUInt16LE(statusAt);
    this.#status = status;
    this.#expected = 'first';
    const hasMore = (status & CURSOR_OPEN) !== 0 && (status & LAST_ROW_SENT) === 0;
    command.done(0, hasMore, bytes.readUInt16LE(statusAt + 2));
    return true;
  }
}

/**
 * Whether the end of an answer, whose status is at `at`, ends where its packet does: after the number of
 * warnings, a message or the changes of the session. A message has no zero byte, unlike the packets that a
 * wrong length would add.
 */
function isEnd(bytes: Buffer, at: number, end: number): boolean {
  const messageAt = at + 4;
  if (messageAt >= end) return messageAt === end;
  const textAt = skipNumber(bytes, messageAt);
  const next = textAt + readNumber(bytes, messageAt);
  if (bytes.subarray(textAt, next).includes(0)) return false;
  const isChanged = (bytes.readUInt16LE(at) & SESSION_CHANGED) !== 0;
  return next === end || (isChanged && skipNumber(bytes, next) + readNumber(bytes, next) === end);
}

/** Whether the packet reports an error. */
export function isFault(bytes: Buffer, start: number): boolean {
  return bytes[start] === FAULT;
}

/** The error in a packet. Its text has no zero byte, unlike the packets that a wrong length would add to it. */
export function readFault(bytes: Buffer, start: number, end: number): ServerFault {
  const hasState = bytes[start + 3] === HASH;
  const stateAt = start + 4;
  const messageAt = hasState ? stateAt + SQLSTATE_LENGTH : start + 3;
  const state = hasState ? bytes.toString('latin1', stateAt, messageAt) : 'HY000';
  if (bytes.subarray(messageAt, end).includes(0)) throw new ProtocolError('An error is broken.');
  const message = bytes.toString('utf8', messageAt, end);
  return new ServerFault(bytes.readUInt16LE(start + 1), state, message);
}

/** The position after the number of rows and the last inserted id; the number of warnings follows. */
function statusOffset(bytes: Buffer, start: number): number {
  return skipNumber(bytes, skipNumber(bytes, start + 1));
}
