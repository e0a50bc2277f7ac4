/**
 * Whether a message other than a row has the form of its kind (manual, protocol-message-formats). If its
 * length is wrong, it has not. A hot path (bench, "point").
 */
import { HEADER_BYTES } from './deframer.js';

/** BindComplete, CloseComplete, NoData, ParseComplete, PortalSuspended, EmptyQueryResponse. */
const EMPTY = new Set(Buffer.from('23n1sI'));
/** ErrorResponse and NoticeResponse. */
const FIELDS = new Set(Buffer.from('EN'));
/** CommandComplete: one text. ParameterStatus: two. */
const COMMAND_COMPLETE = 0x43;
const PARAMETER_STATUS = 0x53;
const READY_FOR_QUERY = 0x5a;
/** Kinds that no answer depends on: those of COPY, descriptions and notifications. */
const OTHERS = new Set(Buffer.from('GTtA'));

export function isWholeMessage(code: number, bytes: Buffer, start: number, end: number): boolean {
  if (EMPTY.has(code)) return end - start === HEADER_BYTES;
  if (code === READY_FOR_QUERY) return end - start === HEADER_BYTES + 1;
  const at = start + HEADER_BYTES;
  if (code === COMMAND_COMPLETE) return textEnd(bytes, at, end) === end;
  if (code === PARAMETER_STATUS) return textEnd(bytes, textEnd(bytes, at, end), end) === end;
  return FIELDS.has(code) ? areFields(bytes, at, end) : OTHERS.has(code);
}

/** The position after a text and its zero byte; beyond `end` if it does not end before. */
function textEnd(bytes: Buffer, start: number, end: number): number {
  let at = start;
  while (at < end && bytes[at] !== 0) at += 1;
  return at + 1;
}

/** Each field is a letter and a text; a zero byte ends them. */
function areFields(bytes: Buffer, start: number, end: number): boolean {
  let at = start;
  while (at < end && bytes[at] !== 0) at = textEnd(bytes, at + 1, end);
  return at + 1 === end;
}
