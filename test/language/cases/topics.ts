/** All topics of the table. */
import type { ReadCase } from '../read-case.js';
import { filters } from './filters.js';
import { lists } from './lists.js';
import { literals } from './literals.js';
import { nulls } from './nulls.js';
import { operators } from './operators.js';

export const topics: Readonly<Record<string, readonly ReadCase[]>> = {
  filters,
  operators,
  nulls,
  literals,
  lists,
};
