/** Which lines of a long list are visible, and where they are drawn. */

export const LINE_PX = 32;
/** Additional lines above and below the visible ones, so that scrolling shows no gap. */
const MARGIN = 12;
/** Browsers limit the height of an element: Firefox to 17.9 million pixels, Chrome to 33.5 million. */
const HEIGHT_MAX = 10_000_000;

/** What the scrolling element shows: its scroll position and its height, in pixels. */
export interface Sight {
  readonly top: number;
  readonly height: number;
}

export interface LineWindow {
  /** The visible lines: from this one, up to and without that one. */
  readonly from: number;
  readonly to: number;
  /** The height of all lines together, in pixels. */
  readonly height: number;
  /** How much further down a line is drawn than its index tells, in pixels. */
  readonly shift: number;
}

/** In a list that is too high, a line moves further than the scroll bar. */
export function windowOf(lineCount: number, { top, height: seen }: Sight): LineWindow {
  const whole = lineCount * LINE_PX;
  const height = Math.min(whole, HEIGHT_MAX);
  // The head is a line as well.
  const hidden = (each: number): number => each + LINE_PX - seen;
  const at = height < whole ? Math.min(1, top / hidden(height)) * hidden(whole) : top;
  const from = Math.max(0, Math.floor(at / LINE_PX) - MARGIN);
  const to = Math.min(lineCount, Math.ceil((at + seen) / LINE_PX) + MARGIN);
  return { from, to, height, shift: top - at };
}
