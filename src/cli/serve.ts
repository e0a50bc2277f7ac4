/** `rowgate serve`: the gateway, until a signal ends it. */
import { setFlagsFromString } from 'node:v8';
import { idleSteps, type Schema } from '../engine/index.js';
import { createLogger } from '../gateway/logger.js';
import { type Gateway, startGateway } from '../gateway/gateway.js';
import type { Observer } from '../gateway/observe.js';
import type { Command, CommandCall } from './command.js';
import { openProject, type Project } from '../project/project.js';
import { schemaNames } from '../project/draft-database.js';
import { driftLine, findDriftOf } from './diff.js';
import { prepareEmbedded } from '../project/prepare-embedded.js';
import { gatewayOptions } from '../project/gateway-options.js';

export const serve: Command = {
  name: 'serve',
  summary:
    'serves a domain over HTTP, or a database as it is (--url, --schemas a,b; --strict: only if its tables fit)',
  syntax: { values: ['url', 'schemas'], switches: ['strict'], positionals: [] },
  run: runServe,
};

/**
 * How far the old objects of a thread may outgrow those that are alive, in percent, before they are
 * collected. V8 allows 300: under ever new queries, each thread would hold three times its plans.
 */
const HEAP_GROWTH_PERCENT = 60;

async function runServe(call: CommandCall): Promise<number> {
  const { configuration } = call;
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
  const observer = createLogger(configuration.logLevel);
  const project = await openServed(call, observer);
  try {
    const prepare = async (schema: Schema) => {
      const { sample, isEmbedded } = project;
      const say = (step: string) => observer.observe({ kind: 'prepared', step });
      await prepareEmbedded({ schema, sample, isEmbedded }, configuration, say);
    };
    await prepare(project.schema);
    reportIdle(project.schema, observer);
    const isStrict = call.arguments.switches.has('strict');
    if (isStrict) await refuseDrift(project.schema);
    // From before it listens: who has seen that may end it at once.
    const ended = endSignal();
    const gateway = await startGateway(gatewayOptions(project, configuration, observer));
    const compared = isStrict ? undefined : reportDrift(project.schema, observer);
    const reread = async () => {
      const schema = await project.reread();
      await prepare(schema);
      reportIdle(schema, observer);
      if (isStrict) await refuseDrift(schema);
      // The new schema does not wait for the warnings.
      else void reportDrift(schema, observer);
      return schema;
    };
    const reload = () => void reloadSchema(gateway, reread, observer);
    process.on('SIGHUP', reload);
    await ended;
    process.off('SIGHUP', reload);
    await gateway.close();
    await compared;
    return 0;
  } finally {
    await project.close();
  }
}

function openServed(call: CommandCall, { observe }: Observer): Promise<Project> {
  const { values } = call.arguments;
  const url = values.get('url');
  const schemas = schemaNames(values.get('schemas'));
  const database = url === undefined ? undefined : { url, schemas };
  return openProject({ ...call, database }, { observe });
}

/** What lambdaorm's files may have, and Rowgate does not do. */
function reportIdle(schema: Schema, { observe }: Observer): void {
  for (const step of idleSteps(schema)) observe({ kind: 'listener-idle', ...step });
}

/** Warns of each difference between the schema and its tables; of a database that is away, of that. */
async function reportDrift(schema: Schema, { observe }: Observer): Promise<void> {
  try {
    for (const each of await findDriftOf(schema)) observe({ kind: 'drift', ...each });
  } catch (cause) {
    observe({ kind: 'drift-unknown', cause });
  }
}

/** Rejects where the schema and its tables differ. */
async function refuseDrift(schema: Schema): Promise<void> {
  const drift = await findDriftOf(schema);
  if (drift.length === 0) return;
  throw new Error(['The schema and the database differ:', ...drift.map(driftLine)].join('\n'));
}

/** The first SIGTERM or SIGINT; later ones find the drain under way. */
function endSignal(): Promise<void> {
  return new Promise((resolve) => {
    process.on('SIGTERM', () => resolve());
    process.on('SIGINT', () => resolve());
  });
}

/** A schema that does not load is reported, and the old one stays in force. */
async function reloadSchema(
  gateway: Gateway,
  reread: () => Promise<Schema>,
  observer: Observer,
): Promise<void> {
  try {
    await gateway.reload(await reread());
  } catch (cause) {
    observer.observe({ kind: 'reload-failed', cause });
  }
}
