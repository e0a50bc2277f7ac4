/** `rowgate serve`: runs the gateway until a signal ends it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { idleSteps, type Schema } from '../engine/index.js';
import { misspeltVariables } from '../gateway/config.js';
import { createLogger, standardOutput } from '../gateway/logger.js';
import { type Gateway, isOpenToAll, startGateway } from '../gateway/gateway.js';
import type { Observer } from '../gateway/observe.js';
import { isColored } from './colors.js';
import type { Command, CommandCall } from './command.js';
import { openProject, type Project } from '../project/project.js';
import { schemaNames } from '../project/draft-database.js';
import { connectionsInAll } from '../gateway/service.js';
import { findScarceConnections } from '../workers/tasks/find-scarce-connections.js';
import { compareSources } from '../workers/tasks/find-drift.js';
import { describeEmbedded } from './describe-connection.js';
import { driftLine } from './diff.js';
import { ConfigurationError } from '../gateway/option.js';
import { optionGroups } from './option-groups.js';
import { prepareEmbedded } from '../project/prepare-embedded.js';
import { gatewayOptions, programVersion } from '../project/gateway-options.js';
import { startTracing } from '../gateway/tracing/start-tracing.js';
import { readyLine } from './ready-line.js';
import { catchSignals } from './signals.js';

export const serve: Command = {
  positionals: [],
  flags: {
    url: ['URL', 'the address of a database: without --schema, its tables are served'],
    schemas: ['A,B', 'reads the tables of these schemas'],
    strict: 'does not start if the tables differ from the schema',
  },
  options: optionGroups,
  examples: [
    'serve',
    'serve --url postgres://user:password@localhost:5432/shop',
    'serve --schema shop.yaml --port 8080 --keys-file keys.json',
  ],
  run: runServe,
};

/** Settings of V8 for all threads. */
const V8_FLAGS = [
  // How much garbage it may keep in the old generation before collecting it, in percent of the live objects. With the
  // default of 300, each thread could hold three times the size of its plans if queries keep changing.
  '--heap-growing-percent=60',
  // The young generation of each thread grows from 1 MiB to its limit of 16 MiB at once. In small steps, it would stay so
  // small that requests in flight are copied again and again, and then fill the old generation.
  '--semi-space-growth-factor=16',
  // Once some objects of a kind have lived for a while, V8 may create all of that kind in the old generation. If it does so
  // with the objects of a request, they keep everything that they refer to until the next major collection: half of all
  // garbage is then copied by each minor one.
  '--no-allocation-site-pretenuring',
  // It inlines less than half as much into a function as by default: after a start, optimizing takes a third of the
  // processor time.
  '--max-inlined-bytecode-size-cumulative=400',
  // How much bytecode a function runs before V8 considers optimizing it. With the default of seven times as much, a
  // single client waits twice as long for each answer in the first seconds after a start.
  '--interrupt-budget=10000',
];
/** How long the comparison of the schema with the tables may delay the end. */
const COMPARE_MS = 1000;
/** How long a reload may read: a database that falls silent must not delay the next reload for good. */
const REREAD_MS = 60_000;

async function runServe(call: CommandCall): Promise<number> {
  const { configuration } = call;
  const signals = catchSignals(call.environment);
  refuseOpen(call);
  for (const flag of V8_FLAGS) setFlagsFromString(flag);
  const { logLevel: level, logFormat, accessLog } = configuration;
  const { isTerminal } = call.terminal;
  const destination = await standardOutput(logFormat, {
    isTerminal,
    isColored: isColored(isTerminal, call.environment),
  });
  const observer = createLogger({ level, accessLog, destination });
  process.on('SIGUSR2', observer.switchLevel);
  for (const each of misspeltVariables(call.environment)) {
    observer.observe({ kind: 'variable-misspelt', ...each });
  }
  for (const member of call.ignoredMembers) observer.observe({ kind: 'service-ignored', member });
  const tracing = await startTracing(call.environment, programVersion());
  const project = await openServed(call, observer);
  try {
    const { schema: served, sampleMark, isEmbedded, embeddedFolder = '' } = project;
    for (const { name } of served.sources.filter(isEmbedded)) {
      const place = describeEmbedded(embeddedFolder);
      observer.observe({ kind: 'prepared', step: `source ${name}: ${place}` });
    }
    const prepare = async (schema: Schema) => {
      const say = (step: string) => observer.observe({ kind: 'prepared', step });
      await prepareEmbedded({ schema, sampleMark, isEmbedded }, configuration, say);
    };
    const { isEnding } = signals;
    if (!isEnding()) await prepare(project.schema);
    reportIdle(project.schema, observer);
    const isStrict = call.arguments.switches.has('strict');
    if (isStrict && !isEnding()) await refuseDrift(project.schema);
    const comparing = new AbortController();
    const compare = (schema: Schema) => reportDrift(schema, observer, comparing.signal);
    const reread = async () => {
      const schema = await project.reread();
      await prepare(schema);
      reportIdle(schema, observer);
      if (isStrict) await refuseDrift(schema);
      // The new schema takes effect without waiting for the warnings.
      else void compare(schema);
      return schema;
    };
    const options = gatewayOptions(project, configuration, observer);
    if (isEnding()) return 0;
    const gateway = await startGateway({ ...options, tracer: tracing?.tracer });
    signals.started();
    const reload = oneAtATime(async () => {
      if (!isEnding()) await reloadSchema(gateway, reread, observer);
    });
    signals.onReload(reload);
    if (isTerminal) call.terminal.print(readyLine(configuration, gateway));
    void reportConnections(call, project.schema, observer, comparing.signal);
    const compared = isStrict ? undefined : compare(project.schema);
    await signals.ended;
    await gateway.close();
    // A comparison that has just begun still reports. One that a silent database holds up does not delay the end.
    await Promise.race([compared, sleep(COMPARE_MS, undefined, { ref: false })]);
    comparing.abort();
    await tracing?.close();
    return 0;
  } finally {
    // If the start was given up, the embedded database may still need more time to stop than the start had left.
    signals.started();
    await project.close();
  }
}

/**
 * Throws if the user has chosen an address that other machines can reach, and requests need no keys. A container or
 * a platform sets `HOST` without knowing these options; then the gateway only warns.
 */
function refuseOpen({ configuration, arguments: { options }, environment }: CommandCall): void {
  const isChosen = options.includes('--host') || Boolean(environment['ROWGATE_HOST']);
  if (!isChosen || !isOpenToAll(configuration)) return;
  throw new ConfigurationError(
    `--host ${configuration.host} would let other machines read and write everything: add --keys-file, --jwt-key-file or --jwt-jwks-url, or --insecure on`,
  );
}

function openServed(call: CommandCall, { observe }: Observer): Promise<Project> {
  const { values } = call.arguments;
  const url = values.get('url');
  const schemas = schemaNames(values.get('schemas'));
  const database = url === undefined ? undefined : { url, schemas };
  return openProject({ ...call, database }, { observe });
}

/** Warns of steps of listeners that lambdaorm would run and Rowgate does not. */
function reportIdle(schema: Schema, { observe }: Observer): void {
  for (const step of idleSteps(schema)) observe({ kind: 'listener-idle', ...step });
}

/** Warns of servers that allow fewer connections than the workers may open. Never rejects. */
async function reportConnections(
  { configuration }: CommandCall,
  schema: Schema,
  { observe }: Observer,
  signal: AbortSignal,
): Promise<void> {
  const perSource = connectionsInAll(configuration);
  observe({ kind: 'connections', perSource });
  const scarce = await findScarceConnections(schema, perSource, signal);
  for (const each of scarce) observe({ kind: 'connections-scarce', ...each });
}

/** Also warns if the tables could not be compared. Stops when the signal aborts. */
async function reportDrift(
  schema: Schema,
  { observe }: Observer,
  signal: AbortSignal,
): Promise<void> {
  try {
    const { drift } = await compareSources(schema, signal);
    for (const each of drift) observe({ kind: 'drift', ...each });
  } catch (cause) {
    if (!signal.aborted) observe({ kind: 'drift-unknown', cause });
  }
}

/** Rejects if the schema and its tables differ. */
async function refuseDrift(schema: Schema): Promise<void> {
  const { drift } = await compareSources(schema);
  if (drift.length === 0) return;
  throw new Error(['The schema and the database differ:', ...drift.map(driftLine)].join('\n'));
}

/**
 * Runs the work, which never rejects, whenever the returned function is called. If it is called during the work, the
 * work runs once more afterwards: so the file that was read last stays in force.
 */
function oneAtATime(work: () => Promise<void>): () => void {
  let isRunning = false;
  let isToRepeat = false;
  const run = async () => {
    isRunning = true;
    do {
      isToRepeat = false;
      await work();
    } while (isToRepeat);
    isRunning = false;
  };
  return () => {
    if (isRunning) isToRepeat = true;
    else void run();
  };
}

/** Puts the new schema in force. If it does not load, reports the error and keeps the old schema. */
async function reloadSchema(
  gateway: Gateway,
  reread: () => Promise<Schema>,
  observer: Observer,
): Promise<void> {
  try {
    const late = sleep(REREAD_MS, undefined, { ref: false }).then(() => {
      throw new Error(`The tables could not be read within ${REREAD_MS / 1000} s.`);
    });
    await gateway.reload(await Promise.race([reread(), late]));
  } catch (cause) {
    observer.observe({ kind: 'reload-failed', cause });
  }
}
