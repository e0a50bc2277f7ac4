/** Adds the properties from which others are computed, without which an update is refused. */
import type { Random } from '../random.js';
import { type Property, readBy } from '../world/domain.js';

const ADDED = 0.85;

/** The chosen properties, and usually those among `all` that they are computed from. */
export function withRead(
  random: Random,
  all: readonly Property[],
  chosen: readonly Property[],
): readonly Property[] {
  if (!random.chance(ADDED)) return chosen;
  const needed = new Set(chosen.flatMap(readBy));
  return [...chosen, ...all.filter((each) => needed.has(each.name) && !chosen.includes(each))];
}
