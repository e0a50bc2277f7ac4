/** Functions that are the same in every dialect, or differ only in a few forms. */
import type { Dialect } from '../dialect.js';
import type { nullFunctions } from '../../query/functions/null.js';
import { type DateUnit, dateUnits } from './date-range.js';
import type { CallSql, Template, Templates } from './template.js';

export const commonComparisons: Templates<'between' | 'in'> = {
  between: (call) => `${call.compared(0)} BETWEEN ${call.beside(1, 0)} AND ${call.beside(2, 0)}`,
  in: (call) => {
    const value = call.compared(0);
    const list = call.list(1, 0);
    return list.kind === 'parameter' ? list.among(value) : `${value} IN (${list.items.join(', ')})`;
  },
};

/** Whether the first argument is a string, or may be one. */
export function isText(call: CallSql): boolean {
  return call.type(0) === 'string' || call.type(0) === 'any';
}

const nullTemplates: Templates<keyof typeof nullFunctions> = {
  nvl: (call) => {
    const values = Array.from({ length: call.count }, (_, index) => call.value(index));
    return `COALESCE(${values.join(', ')})`;
  },
  nvl2: (call) =>
    `CASE WHEN ${call.operand(0)} IS NOT NULL THEN ${call.value(1)} ELSE ${call.value(2)} END`,
};

/** The templates of a dialect by name, with those that are the same in all dialects. */
export function functionsOf(own: Readonly<Record<string, Template>>): Dialect['functions'] {
  return new Map(Object.entries({ ...own, ...nullTemplates }));
}

/** What a dialect writes for a unit of time, and for a time of day that is added or subtracted. */
export interface DateForms {
  adding(unit: DateUnit): Template;
  counted(unit: DateUnit): Template;
  shifted(sign: '+' | '-'): Template;
}

export function commonDates({ adding, counted, shifted }: DateForms) {
  return {
    today: (call) => call.instant('date'),
    now: (call) => call.instant('dateTime'),
    curTime: (call) => call.instant('time'),
    addYear: adding(dateUnits.year),
    addMonth: adding(dateUnits.month),
    addDay: adding(dateUnits.day),
    addHour: adding(dateUnits.hour),
    addMinute: adding(dateUnits.minute),
    addSecond: adding(dateUnits.second),
    addMillisecond: adding(dateUnits.millisecond),
    addTime: shifted('+'),
    subtractTime: shifted('-'),
    dayToDate: counted(dateUnits.day),
    hourToDate: counted(dateUnits.hour),
    secondToDate: counted(dateUnits.second),
    millisecondToDate: counted(dateUnits.millisecond),
    dateToString: (call) => call.text(0),
  } satisfies Record<string, Template>;
}
