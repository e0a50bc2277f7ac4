/** How large and how deep an expression may be. */

export interface CompileLimits {
  /** The longest expression, in UTF-16 units. */
  readonly expressionLengthMax: number;
  /** How deep parentheses, calls, lambdas and operators may nest. */
  readonly nestingMax: number;
  /** How deep includes may nest. */
  readonly includeDepthMax: number;
}

export const defaultCompileLimits: CompileLimits = {
  expressionLengthMax: 65_536,
  nestingMax: 64,
  includeDepthMax: 8,
};
