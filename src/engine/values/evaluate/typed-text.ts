/**
 * A value of an expression that keeps its canonical text: a date, a time, a UUID, an address, an interval, JSON. A date
 * or a time keeps its microseconds, which its text in the language does not have.
 */
import type { PropertyType, ScalarType } from '../../schema/model.js';
import { dateTimeText, timeText } from '../date-text.js';

const textTypes = [
  'dateTime',
  'date',
  'time',
  'uuid',
  'inet',
  'interval',
  'json',
] as const satisfies readonly ScalarType[];
export type TextType = (typeof textTypes)[number];

export function isTextType(type: PropertyType): type is TextType {
  return textTypes.some((each) => each === type);
}

export class TypedText {
  /** The canonical text. */
  readonly text: string;
  readonly type: TextType;

  constructor(text: string, type: TextType) {
    this.text = text;
    this.type = type;
  }

  /** The text that `toString` has in the databases. */
  toString(): string {
    switch (this.type) {
      case 'time':
        return (timeText(this.text) ?? this.text).slice(0, 12).replace(/\.000$/, '');
      case 'uuid':
      case 'inet':
      case 'interval':
      case 'json':
        return this.text;
      default: {
        const instant = dateTimeText(this.text);
        return instant === undefined ? this.text : `${instant.slice(0, -4)}Z`;
      }
    }
  }
}
