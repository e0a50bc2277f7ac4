/**
 * Asks a gateway one thing: the running one that `--url` names, or one of its own, on a free port of
 * this machine, that ends with the command.
 */
import { finished } from 'node:stream/promises';
import { createWriteStream } from 'node:fs';
import { Readable, type Writable } from 'node:stream';
import type { Observer } from '../gateway/observe.js';
import type { CommandCall } from './command.js';
import { openWorkplace } from './database.js';
import { prepareEmbedded } from './prepare-embedded.js';
import { runGateway } from './run-gateway.js';

/** Calls `ask` with the address of a gateway, without a slash at its end. */
export async function withGateway<Result>(
  call: CommandCall,
  ask: (baseUrl: string) => Promise<Result>,
): Promise<Result> {
  const url = call.arguments.values.get('url');
  if (url !== undefined) return ask(url.replace(/\/+$/, ''));
  const workplace = await openWorkplace(call);
  try {
    const { sampleScale } = call.configuration;
    if (workplace.embedded) await prepareEmbedded(workplace, sampleScale, () => {});
    const configuration = { ...call.configuration, host: '127.0.0.1', port: 0, workers: 1 };
    const gateway = await runGateway(workplace, configuration, silentButFaults(call));
    try {
      return await ask(`http://127.0.0.1:${gateway.port}`);
    } finally {
      await gateway.close();
    }
  } finally {
    await workplace.close();
  }
}

/** Copies an answer to a file or to standard output; tells a refusal. Answers the exit code. */
export async function copyAnswer(
  response: Response,
  call: CommandCall,
  file: string | undefined,
): Promise<number> {
  if (!response.ok) {
    call.terminal.tell(await refusalText(response));
    return 1;
  }
  const target = file === undefined ? process.stdout : createWriteStream(file);
  if (response.body) await copy(Readable.fromWeb(response.body), target);
  if (target === process.stdout) target.write('\n');
  else await finished(target.end());
  return 0;
}

async function copy(from: Readable, to: Writable): Promise<void> {
  for await (const bytes of from) {
    if (!to.write(bytes)) await new Promise((resolve) => to.once('drain', resolve));
  }
}

/** `detail (line 1, column 5; place) hint` of a problem, or the whole answer. */
async function refusalText(response: Response): Promise<string> {
  const text = await response.text();
  try {
    const problem: unknown = JSON.parse(text);
    return formatProblem(problem) ?? text;
  } catch {
    return `${response.status} ${text}`;
  }
}

function formatProblem(problem: unknown): string | undefined {
  if (typeof problem !== 'object' || problem === null || !('detail' in problem)) return undefined;
  const position = 'position' in problem ? ` at ${JSON.stringify(problem.position)}` : '';
  const place = 'place' in problem ? ` at ${String(problem.place)}` : '';
  const hint = 'hint' in problem ? ` ${String(problem.hint)}` : '';
  return `${String(problem.detail)}${position}${place}${hint}`;
}

function silentButFaults({ terminal }: CommandCall): Observer {
  return {
    observesRequests: false,
    observe: (observation) => {
      if (observation.kind === 'request-fault')
        terminal.tell(observation.stack ?? observation.detail);
    },
  };
}
