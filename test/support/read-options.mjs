/** Reads the options of a long run of tests. Prints its help on demand, and after a wrong option. */
import { parseArgs } from 'node:util';

/** The values of the command line; the process ends if there are none to use. */
export function readOptions(options, help) {
  try {
    const parsed = parseArgs({ options: { ...options, help: { type: 'boolean' } } });
    const { help: isAsked, minutes } = parsed.values;
    if (isAsked) end(0, process.stdout, help);
    if (!(Number(minutes) > 0))
      throw new Error(`--minutes takes a number above 0, not ${String(minutes)}.`);
    return parsed;
  } catch (error) {
    return end(2, process.stderr, `${error.message}\n\n${help}`);
  }
}

function end(code, stream, text) {
  stream.write(text);
  process.exit(code);
}
