/** Functions that replace null. */
import { commonType } from '../types.js';
import { more, takes } from './parameters.js';
import type { FunctionGroupTable, ResultRule } from './signature.js';

const common: ResultRule = (types) =>
  types.reduce((left, right) => commonType(left, right) ?? 'any', 'any');

const commonOfBoth: ResultRule = ([, ...types]) => common(types);

export const nullFunctions = {
  nvl: {
    aliases: ['coalesce'],
    parameters: [takes('value', 'same'), more('others', 'same')],
    returns: common,
    result: 'the type of the arguments',
    summary: 'The first argument that is not null, or null if all are.',
    example: ['nvl(null, null, 3)', '3'],
  },
  nvl2: {
    parameters: [takes('value', 'any'), takes('present', 'same'), takes('absent', 'same')],
    returns: commonOfBoth,
    result: 'the type of the last two',
    summary: '`present` if the value is not null, otherwise `absent`.',
    example: ['nvl2(null, "some", "none")', '"none"'],
  },
} satisfies FunctionGroupTable;
