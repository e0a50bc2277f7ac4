/** All topics of the table of read cases. */
import type { ReadCase } from '../read-case.js';
import { dates } from './dates.js';
import { exact } from './exact.js';
import { filters } from './filters.js';
import { finiteNumbers } from './finite-numbers.js';
import { groups } from './groups.js';
import { includes } from './includes.js';
import { lists } from './lists.js';
import { literals } from './literals.js';
import { maps } from './maps.js';
import { nestedCalls } from './nested.js';
import { nulls } from './nulls.js';
import { numbers } from './numbers.js';
import { openParameters } from './open-parameters.js';
import { operators } from './operators.js';
import { parameters } from './parameters.js';
import { paths } from './paths.js';
import { related } from './related.js';
import { sorts } from './sorts.js';

export const topics: Readonly<Record<string, readonly ReadCase[]>> = {
  filters,
  operators,
  numbers,
  finiteNumbers,
  nested: nestedCalls,
  nulls,
  literals,
  lists,
  maps,
  sorts,
  paths,
  related,
  groups,
  includes,
  parameters,
  openParameters,
  exact,
  dates,
};
