/**
 * Converts ISO 8601 texts to canonical UTC texts. It never uses a `Date` in the time zone of the
 * process; it computes with days of the proleptic Gregorian calendar.
 */

const isoPattern =
  /^([+-]\d{6}|\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s?([Zz]|[+-]\d\d(?::?\d\d)?)?)?$/;
const timePattern = /^(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?$/;
const msPerMinute = 60_000;

/**
 * Years outside the range of a `Date` are computed with a different year, because the calendar
 * repeats itself every 400 years.
 */
const REPEATED_YEARS = 200_000;
const YEAR_MAX = 999_999;

interface Instant {
  /** Milliseconds since 1970-01-01T00:00Z, in whole seconds. */
  readonly ms: number;
  /** The years that must be added to `ms`, a multiple of {@link REPEATED_YEARS}. */
  readonly years: number;
  /** Six digits. */
  readonly fraction: string;
}

/** An ISO 8601 date, with or without time and offset, as `YYYY-MM-DDTHH:MM:SS.ffffffZ`. */
export function dateTimeText(text: string): string | undefined {
  if (isPlainDate(text)) {
    if (text.length === DATE_LENGTH) return `${text}T00:00:00.000000Z`;
    if (isPlainTime(text)) return `${text.slice(0, -1)}000Z`;
  }
  const instant = readInstant(text);
  if (!instant) return undefined;
  return `${isoDate(instant)}T${isoTime(instant.ms)}.${instant.fraction}Z`;
}

/** The date in an ISO 8601 text if the calendar does not have that day, such as `2024-02-30`. */
export function missingDay(text: string): string | undefined {
  const [, year, month, day] = isoPattern.exec(text) ?? [];
  if (year === undefined || year === '-000000') return undefined;
  const exists = utcDay(Number(year) % REPEATED_YEARS, Number(month), Number(day)) !== undefined;
  return exists ? undefined : `${year}-${month ?? ''}-${day ?? ''}`;
}

/** The year of a canonical date, as ISO 8601 counts: the year 0 comes before the year 1. */
export function yearOf(text: string): number {
  return Number.parseInt(text, 10);
}

/** The UTC date of an ISO 8601 text, as `YYYY-MM-DD`. */
export function dateText(text: string): string | undefined {
  if (text.length === DATE_LENGTH && isPlainDate(text)) return text;
  const instant = readInstant(text);
  return instant && isoDate(instant);
}

/** `HH:MM[:SS[.f…]]` as `HH:MM:SS.fff`, with six digits if there are microseconds. */
export function timeText(text: string): string | undefined {
  const match = timePattern.exec(text);
  if (!match) return undefined;
  const [, hour = '', minute = '', second = '00', fraction = ''] = match;
  if (hour > '23' || minute > '59' || second > '59') return undefined;
  return `${hour}:${minute}:${second}.${shownFraction(fraction)}`;
}

/** Milliseconds, or six digits if there are microseconds, so that the value finds its row again. */
export function shownFraction(digits: string): string {
  const micros = digits.padEnd(6, '0').slice(0, 6);
  return micros.endsWith('000') ? micros.slice(0, 3) : micros;
}

const DATE_LENGTH = 10;
const INSTANT_LENGTH = '2024-02-29T12:00:00.000Z'.length;
const DASH = 0x2d;
const LETTER_T = 0x54;
const COLON = 0x3a;
const DOT = 0x2e;
const LETTER_Z = 0x5a;

/** Whether a string begins with the usual form of a date: `YYYY-MM-DD`, a day of the calendar. */
function isPlainDate(text: string): boolean {
  if (text.charCodeAt(4) !== DASH || text.charCodeAt(7) !== DASH) return false;
  const century = twoDigits(text, 0);
  const year = twoDigits(text, 2);
  const month = twoDigits(text, 5);
  const day = twoDigits(text, 8);
  if (!(century >= 0 && year >= 0 && month >= 1 && month <= 12 && day >= 1)) return false;
  // Days near the end of a month need the full check.
  return day <= 28 || (day <= 30 && month !== 2);
}

/** Whether exactly `THH:MM:SS.fffZ` follows the date. */
function isPlainTime(text: string): boolean {
  if (text.length !== INSTANT_LENGTH || text.charCodeAt(23) !== LETTER_Z) return false;
  if (text.charCodeAt(10) !== LETTER_T || text.charCodeAt(19) !== DOT) return false;
  if (text.charCodeAt(13) !== COLON || text.charCodeAt(16) !== COLON) return false;
  const hour = twoDigits(text, 11);
  const minute = twoDigits(text, 14);
  const second = twoDigits(text, 17);
  if (!(hour >= 0 && hour <= 23 && minute >= 0 && minute <= 59)) return false;
  return second >= 0 && second <= 59 && twoDigits(text, 20) >= 0 && twoDigits(text, 21) >= 0;
}

/** The value of two digits; -1 if there are none. */
function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - ZERO;
  const ones = text.charCodeAt(at + 1) - ZERO;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : -1;
}

const ZERO = 0x30;

function readInstant(text: string): Instant | undefined {
  const match = isoPattern.exec(text);
  if (!match) return undefined;
  const [, year = '', month = '', day = '', hour = '00', minute = '00', second = '00'] = match;
  if (year === '-000000' || hour > '23' || minute > '59' || second > '59') return undefined;
  const years = Math.trunc(Number(year) / REPEATED_YEARS) * REPEATED_YEARS;
  const days = utcDay(Number(year) - years, Number(month), Number(day));
  const offset = offsetMinutes(match[8]);
  if (days === undefined || offset === undefined) return undefined;
  const ms = days + Number(hour) * 3_600_000 + Number(minute) * msPerMinute + Number(second) * 1000;
  const fraction = (match[7] ?? '').padEnd(6, '0').slice(0, 6);
  const utc = ms - offset * msPerMinute;
  const hasYear = Math.abs(new Date(utc).getUTCFullYear() + years) <= YEAR_MAX;
  return hasYear ? { ms: utc, years, fraction } : undefined;
}

/** The milliseconds of the start of a day, or undefined if the calendar does not have it. */
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

function isoDate({ ms, years }: Instant): string {
  const date = new Date(ms);
  const iso = date.toISOString();
  if (years === 0) return iso.slice(0, iso.indexOf('T'));
  const year = String(Math.abs(date.getUTCFullYear() + years)).padStart(6, '0');
  return `${years < 0 ? '-' : '+'}${year}${iso.slice(iso.indexOf('-', 1), iso.indexOf('T'))}`;
}

function isoTime(ms: number): string {
  const iso = new Date(ms).toISOString();
  const at = iso.indexOf('T') + 1;
  return iso.slice(at, at + 8);
}
