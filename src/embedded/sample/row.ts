/** The shape of the sample's rows. */

/** A row by property name. Every property is present. Times are ISO 8601 strings in UTC. */
export type SampleRow = Readonly<Record<string, string | number | boolean | null>>;

/**
 * The topics of the random streams. Each has its own, so that changing one leaves the others unchanged.
 */
export const topics = {
  customer: 1,
  supplier: 2,
  product: 3,
  order: 4,
  details: 5,
} as const;
