/** Which steps of a path into JSON may lead to an item of an array. */

/** Whether a name is an item's index, counted from 0, as JavaScript writes it; an object may have it as a name. */
export function isIndex(step: string): boolean {
  return /^(0|[1-9]\d{0,8})$/.test(step);
}
