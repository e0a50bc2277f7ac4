/** Decides for which numbers a power is defined. */

/** Pieces of SQL, each called in the order of the text. */
export interface PowerOf {
  base(): string;
  exponent(): string;
  /** The exponent without its fraction. */
  whole(): string;
  /** The exponent, if it is a literal. */
  readonly known: number | undefined;
  power(): string;
}

/**
 * The power if it is defined and finite, otherwise null. Zero and negative bases do not have a power
 * for every exponent.
 */
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
