/** Instants, dates and times of day, in UTC and in the proleptic Gregorian calendar. */

/** Microseconds since 1970; for a date, of its start. */
export interface Moment {
  readonly kind: 'dateTime' | 'date';
  readonly us: bigint;
}

/** A time of day, in milliseconds since midnight. */
export interface Clock {
  readonly kind: 'time';
  readonly ms: number;
}

const DAY_US = 86_400_000_000n;
export const DAY_MS = 86_400_000;
const FIRST_US = BigInt(Date.parse('0001-01-01T00:00:00.000Z')) * 1000n;
const END_US = BigInt(Date.parse('+010000-01-01T00:00:00.000Z')) * 1000n;

/** Null if the year is not between 1 and 9999. */
export function momentAt(us: bigint, kind: Moment['kind'] = 'dateTime'): Moment | null {
  return us >= FIRST_US && us < END_US ? { kind, us } : null;
}

export function dateOf({ us }: Moment): Moment {
  const rest = us % DAY_US;
  return { kind: 'date', us: us - (rest < 0n ? rest + DAY_US : rest) };
}

export function msOf({ us }: Moment): number {
  const rest = us % 1000n;
  return Number((us - (rest < 0n ? rest + 1000n : rest)) / 1000n);
}

const iso = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d)?(\.\d+)?(Z|[+-]\d\d:\d\d)?)?$/;

/** Parses ISO 8601; undefined for other texts. Without an offset, it is in UTC. */
export function parseMoment(text: string): Moment | undefined {
  const match = iso.exec(text);
  if (!match) return undefined;
  const [, day = '', minutes = '00:00', seconds = ':00', fraction = '.0', zone = 'Z'] = match;
  const ms = Date.parse(`${day}T${minutes}${seconds}.000${zone}`);
  if (Number.isNaN(ms)) return undefined;
  const us = BigInt(fraction.slice(1, 7).padEnd(6, '0'));
  return { kind: 'dateTime', us: BigInt(ms) * 1000n + us };
}

/** Parses `HH:MM`, `HH:MM:SS` and `HH:MM:SS.mmm`; undefined for other texts. */
export function parseClock(text: string): Clock | undefined {
  const match = /^(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,3}))?)?$/.exec(text);
  if (!match) return undefined;
  const [, hours, minutes, seconds = '0', fraction = '0'] = match;
  const whole = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
  return { kind: 'time', ms: whole * 1000 + Number(fraction.padEnd(3, '0')) };
}

/** Formats as ISO 8601 with milliseconds. */
export function momentText(moment: Moment): string {
  return new Date(msOf(moment)).toISOString();
}

/** Formats as `HH:MM:SS`, with `.mmm` if there are milliseconds. */
export function clockText({ ms }: Clock): string {
  const text = new Date(ms).toISOString().slice(11, 23);
  return text.endsWith('.000') ? text.slice(0, 8) : text;
}

/** Adds months. A day that the month does not have becomes its last day. */
export function addMonths(moment: Moment, months: number): Moment | null {
  const ms = msOf(moment);
  const at = new Date(ms);
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth() + months];
  const target = new Date(0);
  target.setUTCFullYear(year, month + 1, 0);
  const last = target.getUTCDate();
  target.setUTCFullYear(year, month, Math.min(at.getUTCDate(), last));
  if (Number.isNaN(target.getTime())) return momentAt(END_US);
  const clock = BigInt(((ms % DAY_MS) + DAY_MS) % DAY_MS) * 1000n;
  return momentAt(BigInt(target.getTime()) * 1000n + clock + moment.us - BigInt(ms) * 1000n);
}
