/** The values of parameters that are compared with enums. */
import type { EnumValues } from '../compiled-query.js';
import { EngineError } from '../errors.js';
import { didYouMean } from '../language/did-you-mean.js';
import { listText } from '../query/enum-values.js';

/** Throws `parameter-type` unless all enums have the value of the parameter, which the object at `place` has under `name`. */
export function requireEnums(
  enums: readonly EnumValues[],
  text: string,
  name: string,
  place: string,
): void {
  const missed = enums.find(({ values }) => !values.includes(text));
  if (!missed) return;
  const { name: enumName, values } = missed;
  const message = `Parameter '${name}' takes a value of the enum ${enumName}: ${listText(values)}.`;
  const hint = didYouMean(text, values);
  throw new EngineError('parameter-type', message, { place: `${place}.${name}`, hint });
}
