/**
 * Checks and converts intervals: ISO 8601 durations, and what PostgreSQL reads besides (manual, 8.5.4): `1 day 02:00:00`,
 * `1-2`, `3 weeks ago`.
 */

const amount = String.raw`-?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?`;
const duration = new RegExp(
  String.raw`^P(?=.*\d)(?:(?:${amount}[YMWD])*(?:T(?:${amount}[HMS])*)?` +
    String.raw`|-?\d+(?:-\d+){0,2}(?:T\d+(?::\d+){0,2}(?:\.\d+)?)?)$`,
);

const decimal = String.raw`(?:\d+(?:\.\d+|\.(?![a-z]))?|\.\d+)`;
const time = String.raw`\d+:[0-5]?\d(?::(?:[0-5]?\d|60))?(?:\.\d*)?`;
/** A time, years and months, a number alone, or an amount with its unit: only some units may precede a digit. */
const part = new RegExp(
  String.raw`[\s,]*(?:@\s*)?(?:[-+]\s*(?=\d))?` +
    String.raw`(?:${decimal}\s*(?<unit>[dhmsy](?=\d)|[a-z]+(?![^\s,]))` +
    String.raw`|(?<![a-z])(?:(?<time>${time})|(?<months>\d+-(?:0?\d|1[01]))|${decimal})(?![^\s,]))`,
  'y',
);

const seconds = /^s(?:ec(?:ond)?s?)?$/;
const days = /^d(?:ays?)?$/;
const months = /^mon(?:th)?s?$/;
const clockUnits = [
  ...[seconds, /^m(?:in(?:ute)?s?)?$/, /^h(?:(?:ou)?rs?)?$/],
  ...[/^(?:us(?:ec(?:ond)?s?)?|microseconds?)$/, /^(?:ms(?:ec(?:ond)?s?)?|milliseconds?)$/],
];
const units = [
  ...[...clockUnits, days, months, /^w(?:eeks?)?$/, /^y(?:(?:ea)?rs?)?$/],
  ...[/^dec(?:ade)?s?$/, /^c(?:ent(?:ury|uries)?)?$/, /^mil(?:s|lennia|lennium)?$/],
];

/** PostgreSQL takes no longer text for an interval, and the time to check one grows with the square of its length. */
const LENGTH_MAX = 256;

/** Whether the text is an interval. PostgreSQL still refuses one that lasts too long. */
export function isInterval(text: string): boolean {
  if (text.length > LENGTH_MAX) return false;
  if (/^\s*[-+]?\s*infinity\s*$/i.test(text)) return true;
  return duration.test(text) || isListOfParts(text.toLowerCase());
}

/** Whether no unit occurs twice. A number alone is the days before a time, or the seconds at the end. */
function isListOfParts(text: string): boolean {
  const isAgo = /\sago\s*$/.test(text);
  const list = text.replace(isAgo ? /\s+ago\s*$/ : /[\s,]+$/, '');
  const found: RegExp[] = [];
  let isAlone = false;
  part.lastIndex = 0;
  do {
    const groups: Groups | undefined = part.exec(list)?.groups;
    const own: readonly RegExp[] | undefined = groups && unitsOf(groups, isAlone);
    if (!own || own.some((unit) => found.includes(unit))) return false;
    found.push(...own);
    isAlone = own.length === 0;
  } while (part.lastIndex < list.length);
  return !isAlone || !(isAgo || found.includes(seconds));
}

type Groups = Readonly<Record<string, string | undefined>>;

/** The units of a part; none for a number alone, and undefined for a word that is no unit. */
function unitsOf(
  { time: clock, months: year, unit }: Groups,
  afterNumber: boolean,
): readonly RegExp[] | undefined {
  if (clock !== undefined) return afterNumber ? [...clockUnits, days] : clockUnits;
  if (afterNumber) return undefined;
  if (year !== undefined) return [months];
  if (unit === undefined) return [];
  const known = units.find((each) => each.test(unit));
  return known && [known];
}

const postgresInterval =
  /^(?:(-?\d+) years? ?)?(?:(-?\d+) mons? ?)?(?:(-?\d+) days? ?)?(?:(-?)(\d+):(\d\d):(\d\d)(\.\d+)?)?$/;

/**
 * An interval in the default style of PostgreSQL, which a session behind a pooler may have (manual, 8.5.5), as a duration of
 * ISO 8601; any other text unchanged.
 */
export function intervalText(text: string): string {
  const match = text.startsWith('P') ? undefined : postgresInterval.exec(text.replaceAll('+', ''));
  if (!match || text === '') return text;
  const [, years, months, days, sign = '', hours, minutes, seconds = '0', fraction = ''] = match;
  const part = (digits: string | undefined, unit: string, minus = '') =>
    Number(digits ?? 0) === 0 ? '' : `${minus}${Number(digits)}${unit}`;
  const date = part(years, 'Y') + part(months, 'M') + part(days, 'D');
  const second = part(seconds + fraction, 'S', sign);
  const time = part(hours, 'H', sign) + part(minutes, 'M', sign) + second;
  if (date + time === '') return 'PT0S';
  return `P${date}${time === '' ? '' : `T${time}`}`;
}
