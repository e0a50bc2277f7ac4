/** Reads the configuration of a command: that of a server may also be in the schema file. */
import {
  type Configuration,
  type ConfigurationInput,
  readConfiguration,
} from '../gateway/config.js';
import { ConfigurationError } from '../gateway/option.js';
import { options } from '../gateway/options.js';
import type { Command } from './command.js';

export interface Configured {
  readonly configuration: Configuration;
  /** Members of `infrastructure.service` without effect. */
  readonly ignoredMembers: readonly string[];
}

/** Throws a ConfigurationError for wrong usage, and an Error for a wrong value in the file. */
export async function configure(
  input: ConfigurationInput,
  { options: groups }: Pick<Command, 'options'>,
): Promise<Configured> {
  const isServer = groups.includes('Address');
  const configuration = readConfiguration(isServer ? input : withoutAddress(input));
  const { schema } = configuration;
  if (schema === undefined || !isServer) return { configuration, ignoredMembers: [] };
  const { readServiceSection } = await import('../project/service-section.js');
  const { options: all, ignored } = await readServiceSection(schema, input.environment);
  // The burst in the file belongs to the rate in the file.
  const isRateChosen = configuration.rateLimit !== options.rateLimit.defaultOn(input.host);
  const file = new Map([...all].filter(([name]) => name !== 'rateBurst' || !isRateChosen));
  // lambdaorm-svc only shows its `host` in a page, and listens everywhere.
  const isHostChosen = configuration.host !== options.host.defaultOn(input.host);
  const ignoredMembers = ignored.filter((member) => member !== 'host' || !isHostChosen);
  return { configuration: withFile({ ...input, file }), ignoredMembers };
}

/** Other programs have these variables, too: that of lambdaorm-svc may be `HOST=http://localhost`. */
function withoutAddress(input: ConfigurationInput): ConfigurationInput {
  return { ...input, environment: { ...input.environment, HOST: undefined, PORT: undefined } };
}

/** The input is valid without the file. */
function withFile(input: ConfigurationInput): Configuration {
  try {
    return readConfiguration(input);
  } catch (cause) {
    if (!(cause instanceof ConfigurationError)) throw cause;
    throw new Error(cause.message, { cause });
  }
}
