/** Shorthands for the parameters and result types in the function tables. */
import type { PropertyType } from '../../schema/model.js';
import type { FunctionParameter, ParameterType, ResultRule } from './signature.js';

/** A required parameter. */
export function takes(name: string, type: ParameterType): FunctionParameter {
  return { name, type, given: 'always', fallback: undefined };
}

/** An optional parameter with its default. */
export function may(name: string, type: ParameterType, fallback?: string): FunctionParameter {
  return { name, type, given: 'optional', fallback };
}

/** Any number of further arguments. */
export function more(name: string, type: ParameterType): FunctionParameter {
  return { name, type, given: 'rest', fallback: undefined };
}

export const asFirst: ResultRule = ([first = 'decimal']) => first;

/** An integer if no digits are given, otherwise the type of the first argument. */
export const roundedType: ResultRule = ([first = 'decimal', digits]) =>
  digits === undefined ? 'integer' : first;

/** The widest type among the arguments. */
export const widestNumber: ResultRule = (types) => {
  if (types.includes('number')) return 'number';
  return types.every((type: PropertyType) => type === 'integer') ? 'integer' : 'decimal';
};
