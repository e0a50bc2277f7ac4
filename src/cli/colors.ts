/** Colours on a terminal. */
import type { Environment } from '../engine/index.js';

const codes = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  cyan: [36, 39],
} as const;

export type Color = keyof typeof codes;

/** Returns the text in a colour, or unchanged if the output has no colours. */
export type Paint = (color: Color, text: string) => string;

/**
 * Colours are used on a terminal, unless NO_COLOR is set (no-color.org) or the terminal is dumb.
 * FORCE_COLOR uses them everywhere.
 */
export function painter(isTerminal: boolean, environment: Environment): Paint {
  const { NO_COLOR, FORCE_COLOR, TERM } = environment;
  const isForced = Boolean(FORCE_COLOR) && FORCE_COLOR !== '0';
  const isColored = !NO_COLOR && (isForced || (isTerminal && TERM !== 'dumb'));
  if (!isColored) return (_, text) => text;
  return (color, text) => `\u001b[${codes[color][0]}m${text}\u001b[${codes[color][1]}m`;
}
