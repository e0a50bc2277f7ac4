/**
 * ISO 8601 texts of the data read by position into canonical UTC texts. No `Date` of the process's
 * time zone is ever made; arithmetic is on days of the proleptic Gregorian calendar.
 */

const isoPattern =
  /^([+-]\d{6}|\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s?([Zz]|[+-]\d\d(?::?\d\d)?)?)?$/;
const timePattern = /^(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?$/;
const msPerMinute = 60_000;

interface Instant {
  /** Milliseconds since 1970-01-01T00:00Z of the whole minute's seconds, fraction left out. */
  readonly ms: number;
  /** Six digits. */
  readonly fraction: string;
}

/** An ISO 8601 date, with or without time and offset, as `YYYY-MM-DDTHH:MM:SS.ffffffZ`. */
export function dateTimeText(text: string): string | undefined {
  const instant = readInstant(text);
  if (!instant) return undefined;
  return `${isoDate(instant.ms)}T${isoTime(instant.ms)}.${instant.fraction}Z`;
}

/** The UTC date of an ISO 8601 text, as `YYYY-MM-DD`. */
export function dateText(text: string): string | undefined {
  const instant = readInstant(text);
  return instant && isoDate(instant.ms);
}

/** `HH:MM[:SS[.f…]]` as `HH:MM:SS.fff`. */
export function timeText(text: string): string | undefined {
  const match = timePattern.exec(text);
  if (!match) return undefined;
  const [, hour = '', minute = '', second = '00', fraction = ''] = match;
  if (hour > '23' || minute > '59' || second > '59') return undefined;
  return `${hour}:${minute}:${second}.${fraction.padEnd(3, '0').slice(0, 3)}`;
}

function readInstant(text: string): Instant | undefined {
  const match = isoPattern.exec(text);
  if (!match) return undefined;
  const [, year = '', month = '', day = '', hour = '00', minute = '00', second = '00'] = match;
  if (year === '-000000' || hour > '23' || minute > '59' || second > '59') return undefined;
  const days = utcDay(Number(year), Number(month), Number(day));
  const offset = offsetMinutes(match[8]);
  if (days === undefined || offset === undefined) return undefined;
  const ms = days + Number(hour) * 3_600_000 + Number(minute) * msPerMinute + Number(second) * 1000;
  const fraction = (match[7] ?? '').padEnd(6, '0').slice(0, 6);
  const utc = ms - offset * msPerMinute;
  return Math.abs(utc) <= 8.64e15 ? { ms: utc, fraction } : undefined;
}

/** The ms of a day's start, or undefined for a day that the calendar does not have. */
function utcDay(year: number, month: number, day: number): number | undefined {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return exists ? date.getTime() : undefined;
}

function offsetMinutes(offset: string | undefined): number | undefined {
  if (offset === undefined || offset === 'Z' || offset === 'z') return 0;
  const hours = Number(offset.slice(1, 3));
  const minutes = Number(offset.slice(3).replace(':', '') || '0');
  if (hours > 23 || minutes > 59) return undefined;
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

function isoDate(ms: number): string {
  const iso = new Date(ms).toISOString();
  return iso.slice(0, iso.indexOf('T'));
}

function isoTime(ms: number): string {
  const iso = new Date(ms).toISOString();
  const at = iso.indexOf('T') + 1;
  return iso.slice(at, at + 8);
}
