/** The cases of every function, by group. */
import type { FunctionGroup } from '../../../../src/engine/query/functions/signature.js';
import type { FunctionCase } from '../function-case.js';
import { comparisonCases } from './comparison.js';
import { convertCases } from './convert.js';
import { dateCases } from './date.js';
import { nullCases } from './null.js';
import { numericCases } from './numeric.js';
import { stringCases } from './string.js';

export const cases: Readonly<Record<FunctionGroup, readonly FunctionCase[]>> = {
  comparison: comparisonCases,
  null: nullCases,
  numeric: numericCases,
  string: stringCases,
  date: dateCases,
  convert: convertCases,
};
