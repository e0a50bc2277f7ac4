/** The functions that Rowgate evaluates itself, of those that random expressions use. */
const names = `
  abs between capitalize ceil coalesce concat concatenate contains date dateTime day endsWith floor hour
  ilike in includes indexOf isEmpty isNotEmpty isNotNull isNull len length like lower ltrim minute month
  nvl nvl2 power replace reverse round rtrim second sign sqrt startWith startsWith substr substring
  toString toUpper trim trunc upper year
`;

export const evaluatedFunctions: ReadonlySet<string> = new Set(names.trim().split(/\s+/));
