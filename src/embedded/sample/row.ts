/** The shape of the sample's rows. */

/** Times are ISO 8601 strings in UTC. */
export type SampleValue = string | number | boolean | null;

/** A row by property name. Every property is present. */
export type SampleRow = Readonly<Record<string, SampleValue>>;

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
