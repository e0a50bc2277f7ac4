/** `rowgate check`: a schema file and the configuration in force. */
import { describeConfiguration } from '../gateway/config.js';
import { runCheck } from './check.js';
import type { Command, CommandCall } from './command.js';
import { sampleSchemaPath } from './database.js';

export const check: Command = {
  name: 'check',
  summary: 'validates the schema file and prints the configuration in force',
  syntax: { values: [], switches: [], positionals: [] },
  run: runCheckCommand,
};

async function runCheckCommand({ configuration, terminal }: CommandCall): Promise<number> {
  const { environment, print } = terminal;
  const code = await runCheck({
    schema: configuration.schema ?? sampleSchemaPath,
    environment,
    print,
  });
  for (const { flag, value, unit, variable } of describeConfiguration(configuration)) {
    const shown = value === undefined ? 'not set' : String(value);
    print(`${flag} ${shown}${unit === undefined ? '' : ` ${unit}`} (${variable})`);
  }
  return code;
}
