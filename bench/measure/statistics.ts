/** Medians and other quantiles of measurements. */

/** The median; for an even number of values, the mean of the two in the middle. NaN for none. */
export function median(values: readonly number[]): number {
  return (quantile(values, 0.5, Math.floor) + quantile(values, 0.5, Math.ceil)) / 2;
}

/** The value that a `share` (0 to 1) of all values does not exceed. NaN for none. */
export function percentile(values: readonly number[], share: number): number {
  return quantile(values, share, Math.ceil);
}

function quantile(
  values: readonly number[],
  share: number,
  round: (place: number) => number,
): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[round((sorted.length - 1) * share)] ?? Number.NaN;
}

/** The median of the values that are present; undefined if there are none. */
export function medianOfKnown(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : median(known);
}
