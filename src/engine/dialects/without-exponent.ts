/**
 * Writes numbers so that MySQL and MariaDB treat them as exact; a number with an exponent would be a
 * double.
 */

/** The maximum number of digits of a decimal, and of those after the point. */
const DIGITS_MAX = 65;
const FRACTION_MAX = 30;

/** Writes `1.5e3` as `1500`. A number that does not fit into a decimal stays unchanged. */
export function withoutExponent(text: string): string {
  const match = /^(-?)(\d*)\.?(\d*)e([+-]?\d{1,3})$/i.exec(text);
  if (!match) return text;
  const [, sign = '', whole = '', fraction = '', power = '0'] = match;
  const behind = Math.max(0, fraction.length - Number(power));
  const before = Math.max(0, whole.length + Number(power));
  if (behind > FRACTION_MAX || before + behind > DIGITS_MAX) return text;
  const digits = `${'0'.repeat(behind)}${whole}${fraction}${'0'.repeat(before)}`;
  const point = behind + whole.length + Number(power);
  const ahead = digits.slice(0, point).replace(/^0+(?=\d)/, '');
  const exact = `${sign}${ahead === '' ? '0' : ahead}`;
  return behind === 0 ? exact : `${exact}.${digits.slice(point, point + behind)}`;
}
