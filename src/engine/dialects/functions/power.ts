/** For which numbers there is a power. */

/** Pieces of SQL, each asked for in the order of the text. */
export interface PowerOf {
  base(): string;
  exponent(): string;
  /** The exponent cut at its point. */
  whole(): string;
  /** The exponent, where it is written in the expression. */
  readonly known: number | undefined;
  power(): string;
}

/** The power where it has a finite value; else null: of zero and below, there is none for every exponent. */
export function whereDefined({ base, exponent, whole, known, power }: PowerOf): string {
  if (known !== undefined && !Number.isInteger(known)) {
    return `CASE WHEN ${base()} ${known > 0 ? '>=' : '>'} 0 THEN ${power()} END`;
  }
  if (known !== undefined)
    return known < 0 ? `CASE WHEN ${base()} <> 0 THEN ${power()} END` : power();
  const cases = [
    `${base()} > 0`,
    `${base()} = 0 AND ${exponent()} >= 0`,
    `${base()} < 0 AND ${exponent()} = ${whole()}`,
  ];
  return `CASE WHEN ${cases.join(' OR ')} THEN ${power()} END`;
}
