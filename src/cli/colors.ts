/** Colours on a terminal. */
import { styleText } from 'node:util';
import type { Environment } from '../engine/index.js';

export type Color = 'bold' | 'dim' | 'red' | 'green' | 'cyan';

/** Returns the text in a colour, or unchanged if the output has no colours. */
export type Paint = (color: Color, text: string) => string;

/** Paints if the output has colours. */
export function painter(isTerminal: boolean, environment: Environment): Paint {
  if (!isColored(isTerminal, environment)) return (_, text) => text;
  return (color, text) => styleText(color, text, { validateStream: false });
}

/**
 * Colours are used on a terminal, unless NO_COLOR is set (no-color.org) or the terminal is dumb.
 * FORCE_COLOR uses them everywhere.
 */
export function isColored(isTerminal: boolean, environment: Environment): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = environment;
  const isForced = Boolean(FORCE_COLOR) && FORCE_COLOR !== '0';
  return !NO_COLOR && (isForced || (isTerminal && TERM !== 'dumb'));
}
