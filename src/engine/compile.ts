/** The spine: from the text of an expression to the value that is cached, executed, described. */

/** Bounds of what is compiled. */
export interface CompileLimits {
  /** UTF-16 units of an expression. */
  readonly expressionLengthMax: number;
  /** Levels of parentheses, calls, lambdas and operators that stand in one another. */
  readonly nestingMax: number;
  /** Levels of includes. */
  readonly includeDepthMax: number;
}
