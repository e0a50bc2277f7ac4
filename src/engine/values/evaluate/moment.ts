/** A date or a time of an expression. It keeps its microseconds, which its text in the language does not have. */
import { dateTimeText, timeText } from '../date-text.js';

export class Moment {
  /** The canonical text. */
  readonly text: string;
  readonly type: 'dateTime' | 'date' | 'time';

  constructor(text: string, type: Moment['type']) {
    this.text = text;
    this.type = type;
  }

  /** The text that `toString` has in the databases. */
  toString(): string {
    if (this.type === 'time') {
      return (timeText(this.text) ?? this.text).slice(0, 12).replace(/\.000$/, '');
    }
    const instant = dateTimeText(this.text);
    return instant === undefined ? this.text : `${instant.slice(0, -4)}Z`;
  }
}
