/** Freezes plain data that is shared. */

/** Freezes a value and all that it holds; answers the value. */
export function freezeDeep<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const name in value) freezeDeep(value[name]);
  return value;
}
