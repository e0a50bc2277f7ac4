/** Starts a gateway on a free port of the loopback interface, for one command. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EmbeddedError } from '../embedded/embedded-error.js';
import { type EmbeddedGateway, embedGateway } from '../gateway/embed-gateway.js';
import type { Observer } from '../gateway/observe.js';
import { gatewayOptions } from '../project/gateway-options.js';
import { prepareEmbedded } from '../project/prepare-embedded.js';
import { type OpenOptions, type Project, withProject } from '../project/project.js';
import type { AskGateway } from './ask-gateway.js';
import type { CommandCall } from './command.js';

/** Calls `ask` with the address of the gateway, which ends afterwards. */
export async function withOwnGateway<Result>(
  call: CommandCall,
  ask: AskGateway<Result>,
  options: OpenOptions,
): Promise<Result> {
  const askOwn = async (project: Project): Promise<Result> => {
    await prepareEmbedded(project, call.configuration, () => {});
    const configuration = { ...call.configuration, ...ownGateway };
    const { observer, takeCause } = watchFaults(call);
    const gateway = await embedGateway(gatewayOptions(project, configuration, observer));
    const secret = `/${randomBytes(SECRET_BYTES).toString('base64url')}`;
    // Importing a large document may take any time.
    const server = createServer({ requestTimeout: 0 }, answerAt(secret, gateway));
    try {
      const baseUrl = `http://127.0.0.1:${await listen(server)}${secret}`;
      return await ask(baseUrl, { ...call, takeCause });
    } finally {
      await gateway.close();
      server.close();
      server.closeAllConnections();
    }
  };
  return withProject(call, askOwn, options).catch((error: unknown) => {
    throw hinted(error);
  });
}

/** The options of a server that have no effect on a gateway for one command. */
const ownGateway = {
  console: undefined,
  keysFile: undefined,
  queriesFile: undefined,
  jwtKeyFile: undefined,
  jwtJwksUrl: undefined,
  jwtIssuer: undefined,
  jwtAudience: undefined,
  drainDelayMs: 0,
  workers: 1,
};

const SECRET_BYTES = 32;

/**
 * Answers the requests below a secret path. Each user of the machine can connect to the port, but must not use the
 * databases with the rights of the command's user.
 */
function answerAt(secret: string, { handle }: EmbeddedGateway): RequestListener {
  return (request, response) => {
    if (request.url?.startsWith(secret)) {
      request.url = request.url.slice(secret.length);
      handle(request, response);
    } else {
      request.resume();
      response.writeHead(404).end();
    }
  };
}

/** Resolves to the port. */
async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address: AddressInfo | string | null = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/**
 * Keeps what the database said about a failed request, which is printed with its error, and prints at once the stack of
 * an internal error and the reason why an answer was cut off.
 */
function watchFaults({ terminal }: CommandCall) {
  let said: string | undefined;
  const observer: Observer = {
    observesRequests: false,
    observe: (observation) => {
      if (observation.kind !== 'request') return;
      const { failure, status } = observation.request;
      if (!failure || status !== 500) return;
      const { cause, detail, isCut } = failure;
      const isStack = cause?.includes('\n') === true;
      if (cause === undefined || isStack || isCut) terminal.report(cause ?? detail);
      else said = cause;
    },
  };
  const takeCause = () => {
    const cause = said;
    said = undefined;
    return cause;
  };
  return { observer, takeCause };
}

/** Adds a hint to the error for a data folder in use: `--url` can use the running server. */
function hinted(error: unknown): unknown {
  if (!(error instanceof EmbeddedError) || error.code !== 'data-in-use') return error;
  const message = `${error.message} If a server is running, pass --url http://127.0.0.1:9291.`;
  return new EmbeddedError(error.code, message, { cause: error });
}
