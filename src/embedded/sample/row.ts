/** What a sample row is made of. */

/** Times are ISO 8601 texts in UTC. */
export type SampleValue = string | number | boolean | null;

/** A row by property name, every property present. */
export type SampleRow = Readonly<Record<string, SampleValue>>;

/** The topics of the random streams: one each, so that adding to one leaves the others as they are. */
export const topics = {
  customer: 1,
  supplier: 2,
  product: 3,
  order: 4,
  details: 5,
} as const;
