/** Groups the options of the configuration for people. */
import { allOptions } from '../gateway/config.js';
import type { Option } from '../gateway/option.js';
import type { OptionName } from '../gateway/options.js';

/** The groups in the order of the options, each with its first one. */
const firsts = [
  ['Schema and databases', 'schema'],
  ['Address', 'host'],
  ['Access', 'keysFile'],
  ['Requests', 'bodyBytesMax'],
  ['Waiting and overload', 'longReads'],
  ['Workers and memory', 'workers'],
  ['Writes and transactions', 'transactionStepsMax'],
  ['Clients', 'rateLimit'],
  ['Shutdown', 'drainDelayMs'],
  ['Log and statistics', 'logLevel'],
  ['Other', 'console'],
] as const satisfies readonly (readonly [group: string, first: OptionName])[];

export const optionGroups = firsts.map(([group]) => group);
export type OptionGroup = (typeof optionGroups)[number];

/** The options of a group in their order. */
export function optionsOf(group: OptionGroup): readonly Option<unknown>[] {
  const names: readonly string[] = firsts.map(([, first]) => first);
  let current = -1;
  return allOptions().flatMap(([name, option]) => {
    if (name === names[current + 1]) current += 1;
    return optionGroups[current] === group ? [option] : [];
  });
}
