/** Powers in the SQL of MySQL and MariaDB. */

/**
 * A square is a product, which is exact where POWER gives a double. What holds placeholders is
 * written once: they stand for arguments in their order.
 */
export function power(x: string, exponent: string): string {
  return exponent === '2' && !x.includes('?') ? `(${x} * ${x})` : `POWER(${x}, ${exponent})`;
}
