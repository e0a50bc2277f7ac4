/** The text of `rowgate COMMAND --help`, without a process: there are many commands. */
import { commands } from '../../src/cli/commands.js';
import { commandText } from '../../src/cli/usage.js';

/** The help of a command, as it is printed without colours. */
export async function helpOf(command: string): Promise<string> {
  const entry = commands.find(({ name }) => name === command);
  if (!entry) throw new Error(`There is no command ${command}.`);
  const context = { host: { cores: 1 }, paint: (_style: string, text: string) => text };
  return `${commandText(entry, await entry.load(), context)}\n`;
}
