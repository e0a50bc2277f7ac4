/** Colours on a terminal. */
import { styleText } from 'node:util';
import type { Environment } from '../engine/index.js';

export type Color = 'bold' | 'dim' | 'red' | 'green' | 'cyan';

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
  return (color, text) => styleText(color, text, { validateStream: false });
}
