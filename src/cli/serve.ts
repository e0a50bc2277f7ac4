/** `rowgate serve`: the gateway, until a signal ends it. */
import { idleSteps, loadSchema, type Schema } from '../engine/index.js';
import { createLogger } from '../gateway/logger.js';
import type { Gateway } from '../gateway/gateway.js';
import type { Observer } from '../gateway/observe.js';
import type { Command, CommandCall } from './command.js';
import { openProject } from './database.js';
import { prepareEmbedded } from './prepare-embedded.js';
import { runGateway } from './run-gateway.js';

export const serve: Command = {
  name: 'serve',
  summary: 'serves a domain over HTTP',
  syntax: { values: [], switches: [], positionals: [] },
  run: runServe,
};

async function runServe(call: CommandCall): Promise<number> {
  const { configuration } = call;
  const observer = createLogger(configuration.logLevel);
  const project = await openProject(call, { report: observer.observe });
  try {
    const prepare = async (schema: Schema) => {
      const { sample, isEmbedded } = project;
      const say = (step: string) => observer.observe({ kind: 'prepared', step });
      await prepareEmbedded({ schema, sample, isEmbedded }, configuration, say);
    };
    await prepare(project.schema);
    reportIdle(project.schema, observer);
    const gateway = await runGateway(project, configuration, observer);
    const reread = async () => {
      const document = await project.reread();
      const schema = loadSchema(document);
      await prepare(schema);
      reportIdle(schema, observer);
      return document;
    };
    const reload = () => void reloadSchema(gateway, reread, observer);
    process.on('SIGHUP', reload);
    await endSignal();
    process.off('SIGHUP', reload);
    await gateway.close();
    return 0;
  } finally {
    await project.close();
  }
}

/** What lambdaorm's files may have, and Rowgate does not do. */
function reportIdle(schema: Schema, { observe }: Observer): void {
  for (const step of idleSteps(schema)) observe({ kind: 'listener-idle', ...step });
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
