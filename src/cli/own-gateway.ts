/** Starts a gateway on a free port of the loopback interface, for one command. */
import { EmbeddedError } from '../embedded/embedded-error.js';
import { startGateway } from '../gateway/gateway.js';
import type { Observer } from '../gateway/observe.js';
import { gatewayOptions } from '../project/gateway-options.js';
import { prepareEmbedded } from '../project/prepare-embedded.js';
import { type OpenOptions, type Project, withProject } from '../project/project.js';
import type { CommandCall } from './command.js';

/** Calls `ask` with the address of the gateway, which ends afterwards. */
export async function withOwnGateway<Result>(
  call: CommandCall,
  ask: (baseUrl: string) => Promise<Result>,
  options: OpenOptions,
): Promise<Result> {
  const askOwn = async (project: Project): Promise<Result> => {
    await prepareEmbedded(project, call.configuration, () => {});
    const configuration = { ...call.configuration, ...ownGateway };
    const gateway = await startGateway(
      gatewayOptions(project, configuration, silentButFaults(call)),
    );
    try {
      return await ask(`http://127.0.0.1:${gateway.port}`);
    } finally {
      await gateway.close();
    }
  };
  return withProject(call, askOwn, options).catch((error: unknown) => {
    throw hinted(error);
  });
}

/**
 * A gateway for one command. It listens on loopback, whatever the configuration of a server says.
 */
const ownGateway = {
  host: '127.0.0.1',
  port: 0,
  adminPort: undefined,
  socket: undefined,
  tlsCert: undefined,
  tlsKey: undefined,
  keysFile: undefined,
  queriesFile: undefined,
  jwtKeyFile: undefined,
  jwtJwksUrl: undefined,
  jwtIssuer: undefined,
  jwtAudience: undefined,
  drainDelayMs: 0,
  workers: 1,
};

function silentButFaults({ terminal }: CommandCall): Observer {
  return {
    observesRequests: false,
    observe: (observation) => {
      if (observation.kind !== 'request') return;
      const { failure, status } = observation.request;
      if (failure && status === 500) terminal.report(failure.cause ?? failure.detail);
    },
  };
}

/** Adds a hint to the error for a data folder in use: `--url` can use the running server. */
function hinted(error: unknown): unknown {
  if (!(error instanceof EmbeddedError) || error.code !== 'data-in-use') return error;
  const message = `${error.message} If a server is running, pass --url http://127.0.0.1:9291.`;
  return new EmbeddedError(error.code, message, { cause: error });
}
