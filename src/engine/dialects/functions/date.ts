/** Functions of dates and times that have the same form in every dialect. */
import { type DateUnit, dateUnits } from './date-range.js';
import type { Template } from './template.js';

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
