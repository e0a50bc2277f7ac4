/** Point reads of many clients, alone and while other clients repeat an expensive query. */
import type { BenchContext } from '../bench-context.js';
import { ask, checkContestant } from '../cases/ask-server.js';
import { type BenchCase, queryRequest } from '../cases/case.js';
import { type Contestant, withContestants } from '../contestants.js';
import { putUnderLoad, type ScenarioFigure } from './scenario.js';

const CONNECTIONS = 1000;
const CLIENTS = 32;
const WARM_UP_SECONDS = 2;

/** At least half a second on an otherwise idle database. */
const EXPENSIVE = `Orders.details.filter(p=>p.quantity>=least).map(p=>({
  orders:count(distinct(p.order.name+p.product.name)),
  places:count(distinct(p.order.address+p.product.name))}))`;

export function runBeside(
  context: BenchContext,
  pointCase: BenchCase,
): Promise<readonly ScenarioFigure[]> {
  return withContestants(context, ['rowgate', 'before'], async (contestants) => {
    const figures: ScenarioFigure[] = [];
    for (const each of contestants) figures.push(...(await measure(context, pointCase, each)));
    return figures;
  });
}

async function measure(
  context: BenchContext,
  pointCase: BenchCase,
  contestant: Contestant,
): Promise<readonly ScenarioFigure[]> {
  const { options, database, say } = context;
  const { requests } = pointCase;
  const shared = { dialect: database.dialect, participant: contestant.name };
  await checkContestant(pointCase, contestant);
  const load = (seconds: number) =>
    putUnderLoad(context, contestant, { requests, connections: CONNECTIONS, seconds });
  await load(WARM_UP_SECONDS);
  const alone = await load(options.scenarioSeconds);
  const expensive = repeatExpensive(contestant.url);
  const beside = await load(options.scenarioSeconds);
  const answered = await expensive.stop();
  say(`beside: ${contestant.name}: ${Math.round(beside.requestsPerSecond)}/s`);
  const what = `${CONNECTIONS} connections of point reads`;
  const others = `${CLIENTS} clients of an expensive query (${answered} answered)`;
  return [
    { ...shared, what: `${what} by themselves`, ...alone },
    { ...shared, what: `${what} beside ${others}`, ...beside },
  ];
}

/** Sends requests on this many connections until it is stopped. Returns the number of answers. */
function repeatExpensive(url: string): { stop(): Promise<number> } {
  let isStopped = false;
  let answered = 0;
  const repeat = async (client: number) => {
    while (!isStopped) {
      // Each client has its own value, so that no two of them can share an answer.
      const request = queryRequest('/execute', EXPENSIVE, { least: -client });
      const isAnswered = await ask(url, request).then(
        () => true,
        () => false,
      );
      if (isAnswered) answered += 1;
    }
  };
  const clients = Array.from({ length: CLIENTS }, (_, client) => repeat(client));
  return {
    stop: async () => {
      isStopped = true;
      await Promise.all(clients);
      return answered;
    },
  };
}
