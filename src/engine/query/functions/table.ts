/** The table of all functions of the language, and their look-up by name. */
import { comparisonFunctions } from './comparison.js';
import { convertFunctions } from './convert.js';
import { dateFunctions } from './date.js';
import { nullFunctions } from './null.js';
import { numericFunctions } from './numeric.js';
import type {
  FunctionDefinition,
  FunctionGroup,
  FunctionGroupTable,
  FunctionParameter,
  FunctionSignature,
} from './signature.js';
import { stringFunctions } from './string.js';

/** Every function, in the order of the documentation. */
export const functionTable: readonly FunctionSignature[] = Object.freeze([
  ...signatures('comparison', comparisonFunctions),
  ...signatures('null', nullFunctions),
  ...signatures('numeric', numericFunctions),
  ...signatures('string', stringFunctions),
  ...signatures('date', dateFunctions),
  ...signatures('convert', convertFunctions),
]);

const byName: ReadonlyMap<string, FunctionSignature> = new Map(
  functionTable.flatMap((each) =>
    [each.name, ...(each.aliases ?? [])].map((name) => [name, each] as const),
  ),
);

/** The functions of the operators for powers and roots. No query can call the one for roots. */
export const powerFunctions = {
  '**': { ...numericFunctions.power, name: 'power', group: 'numeric' },
  '//': { ...numericFunctions.power, name: 'root', group: 'numeric' },
} as const satisfies Record<string, FunctionSignature>;

/** The functions that convert values before they are stored. */
export const dateFunction: FunctionSignature = {
  ...dateFunctions.date,
  name: 'date',
  group: 'date',
};
export const roundFunction: FunctionSignature = {
  ...numericFunctions.round,
  name: 'round',
  group: 'numeric',
};

/** All names and aliases of functions. */
export const functionNames: readonly string[] = Object.freeze([...byName.keys()]);

/** The function of that name or alias. */
export function functionNamed(name: string): FunctionSignature | undefined {
  return byName.get(name);
}

/** The form of a call, such as `round(x: numeric, digits: integer = 0)`. */
export function formOf({
  name,
  parameters,
}: FunctionDefinition & { readonly name: string }): string {
  return `${name}(${parameters.map(parameterText).join(', ')})`;
}

function parameterText({ name, type, given, fallback }: FunctionParameter): string {
  if (given === 'rest') return `…${name}: ${type}`;
  if (given === 'always') return `${name}: ${type}`;
  return fallback === undefined ? `${name}?: ${type}` : `${name}: ${type} = ${fallback}`;
}

function signatures(group: FunctionGroup, table: FunctionGroupTable): FunctionSignature[] {
  return Object.entries(table).map(([name, definition]) => ({ name, group, ...definition }));
}
