/** `rowgate serve`: the gateway, until a signal ends it. */
import { idleSteps, loadSchema, type Schema } from '../engine/index.js';
import { createLogger } from '../gateway/logger.js';
import type { Gateway } from '../gateway/gateway.js';
import type { Observer } from '../gateway/observe.js';
import type { Command, CommandCall } from './command.js';
import { openDrafted, openWorkplace, type Workplace } from './database.js';
import { schemaNames } from './draft-database.js';
import { driftLine, findDriftOf } from './diff.js';
import { prepareEmbedded } from './prepare-embedded.js';
import { runGateway } from './run-gateway.js';

export const serve: Command = {
  name: 'serve',
  summary:
    'serves a domain over HTTP, or a database as it is (--url, --schemas a,b; --strict: only if its tables fit)',
  syntax: { values: ['url', 'schemas'], switches: ['strict'], positionals: [] },
  run: runServe,
};

async function runServe(call: CommandCall): Promise<number> {
  const { configuration } = call;
  const observer = createLogger(configuration.logLevel);
  const workplace = await openServed(call, observer);
  try {
    const prepare = async (schema: Schema) => {
      const { sample, isEmbedded } = workplace;
      const say = (step: string) => observer.observe({ kind: 'prepared', step });
      await prepareEmbedded({ schema, sample, isEmbedded }, configuration, say);
    };
    await prepare(workplace.schema);
    tellIdle(workplace.schema, observer);
    const isStrict = call.arguments.switches.has('strict');
    if (isStrict) await refuseDrift(workplace.schema);
    // From before it listens: who has seen that may end it at once.
    const ended = endSignal();
    const gateway = await runGateway(workplace, configuration, observer);
    const compared = isStrict ? undefined : tellDrift(workplace.schema, observer);
    const reread = async () => {
      const document = await workplace.reread();
      const schema = loadSchema(document);
      await prepare(schema);
      tellIdle(schema, observer);
      if (isStrict) await refuseDrift(schema);
      // The new schema does not wait for the warnings.
      else void tellDrift(schema, observer);
      return document;
    };
    const reload = () => void reloadSchema(gateway, reread, observer);
    process.on('SIGHUP', reload);
    await ended;
    process.off('SIGHUP', reload);
    await gateway.close();
    await compared;
    return 0;
  } finally {
    await workplace.close();
  }
}

/** With `--url` and no schema file, the tables of that database are served; with both, it is the file's. */
function openServed(call: CommandCall, { observe }: Observer): Promise<Workplace> {
  const { configuration, terminal } = call;
  const { values } = call.arguments;
  const url = values.get('url');
  if (url === undefined) return openWorkplace(call, { tell: observe });
  if (configuration.schema === undefined) {
    const database = { url, schemas: schemaNames(values.get('schemas')) };
    return openDrafted(database, (remark) => observe({ kind: 'unmapped', ...remark }));
  }
  const environment = { ...terminal.environment, DATABASE_URL: url };
  return openWorkplace({ ...call, terminal: { ...terminal, environment } }, { tell: observe });
}

/** What lambdaorm's files may have, and Rowgate does not do. */
function tellIdle(schema: Schema, { observe }: Observer): void {
  for (const step of idleSteps(schema)) observe({ kind: 'listener-idle', ...step });
}

/** Warns of each difference between the schema and its tables; of a database that is away, of that. */
async function tellDrift(schema: Schema, { observe }: Observer): Promise<void> {
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

/** A schema that does not load is told, and the old one stays in force. */
async function reloadSchema(
  gateway: Gateway,
  reread: () => Promise<unknown>,
  observer: Observer,
): Promise<void> {
  try {
    await gateway.reload(await reread());
  } catch (cause) {
    observer.observe({ kind: 'reload-failed', cause });
  }
}
