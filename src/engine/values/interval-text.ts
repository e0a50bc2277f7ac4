/**
 * Checks intervals: ISO 8601 durations, and what PostgreSQL reads besides (manual, 8.5.4): `1 day 02:00:00`,
 * `1-2`, `3 weeks ago`.
 */

const duration = /^[-+]?P[-+\d.:eYMWD]*(?:T[-+\d.:eHMS]*)?$/i;
const amounts = /^[-+\s@]*[\d.][-+\s\d.,:a-z]*$/i;
const clockUnit =
  /^(?:(?:[mu]|micro|milli)?s(?:ec(?:ond)?s?)?|m(?:in(?:ute)?s?)?|h(?:(?:ou)?rs?)?|ago)$/i;
const calendarUnit = /^(?:d(?:ays?)?|w(?:eeks?)?|mon(?:th)?s?|y(?:(?:ea)?rs?)?)$/i;
const longUnit = /^(?:dec(?:ade)?s?|c(?:ent(?:ury|uries)?)?|mils?|millenni(?:a|um))$/i;

const units = [clockUnit, calendarUnit, longUnit];

/** Whether the text has the form of an interval. The database may still refuse it. */
export function isInterval(text: string): boolean {
  if (/^[-+]?infinity$/i.test(text)) return true;
  if (!/\d/.test(text)) return false;
  const words = text.match(/[a-z]+/gi) ?? [];
  const areUnits = words.every((word) => units.some((unit) => unit.test(word)));
  return duration.test(text) || (areUnits && amounts.test(text));
}
