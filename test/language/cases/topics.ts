/** All topics of the table. */
import type { ReadCase } from '../read-case.js';
import { filters } from './filters.js';
import { operators } from './operators.js';

export const topics: Readonly<Record<string, readonly ReadCase[]>> = { filters, operators };
