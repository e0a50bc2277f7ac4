/** `rowgate check`: validates a schema file, and prints its connections and the effective configuration. */
import { EngineError, type Environment, loadSchema, type Schema } from '../engine/index.js';
import {
  allOptions,
  certificateOf,
  type Configuration,
  misspeltVariables,
} from '../gateway/config.js';
import { readAllowedQueries } from '../gateway/access/allowed-queries.js';
import { readKeys } from '../gateway/access/keys-file.js';
import { readTokenKey } from '../gateway/access/token-key-file.js';
import { readCertificate } from '../gateway/http/certificate.js';
import type { Command, CommandCall } from './command.js';
import { sampleSchemaPath, withProject } from '../project/project.js';
import { describeConnection, maskUrl } from './describe-connection.js';
import { keyTable, unknownNames } from './describe-keys.js';
import { driftLine } from './diff.js';
import { optionGroups } from './option-groups.js';
import { readSchemaFile } from '../project/schema-file.js';
import { compareSources } from '../workers/tasks/find-drift.js';
import { findMissingRights } from '../workers/tasks/find-missing-rights.js';

export const check: Command = {
  positionals: [],
  flags: {
    connect: 'warns of differences from the tables, and notes rights that the database user lacks',
    strict: 'with --connect: makes differences errors',
  },
  options: optionGroups,
  examples: ['check --schema shop.yaml', 'check --schema shop.yaml --connect --strict'],
  run: async (call) => {
    const { configuration, environment, terminal } = call;
    const { print } = terminal;
    const schema = configuration.schema ?? sampleSchemaPath;
    const code = await runCheck({ ...configuration, schema, environment, print });
    if (code !== 0) return code;
    const { jwtJwksUrl: url } = configuration;
    const jwtJwksUrl = url === undefined ? undefined : maskUrl(url);
    const values: Readonly<Record<string, unknown>> = { ...configuration, jwtJwksUrl };
    for (const [name, { flag, unit = '', variables }] of allOptions()) {
      print(`${`--${flag} ${String(values[name] ?? 'not set')} ${unit}`.trim()} (${variables[0]})`);
    }
    for (const { variable, similar } of misspeltVariables(environment)) {
      terminal.report(`warning: no option has the variable ${variable}: ${similar.join(', ')}?`);
    }
    for (const member of call.ignoredMembers) {
      terminal.report(`warning: infrastructure.service.${member} is ignored`);
    }
    return (await reportDrift(call)) ? 1 : 0;
  },
};

/** With `--connect`, warns of differences and notes missing rights. Returns whether `--strict` makes differences errors. */
async function reportDrift(call: CommandCall): Promise<boolean> {
  const { switches } = call.arguments;
  if (!switches.has('connect')) return false;
  const { report } = call.terminal;
  const drift = await withProject(call, async ({ schema }) => {
    const compared = await compareSources(schema);
    for (const each of compared.drift) report(`warning: ${driftLine(each)}`);
    for (const each of await findMissingRights(schema)) report(`note: ${driftLine(each)}`);
    return compared.drift;
  });
  return drift.length > 0 && switches.has('strict');
}

/** The files beside the schema that a server reads at its start. */
type OtherFiles = Pick<
  Configuration,
  'keysFile' | 'jwtKeyFile' | 'queriesFile' | 'tlsCert' | 'tlsKey'
>;

export interface CheckOptions extends Partial<OtherFiles>, Pick<Configuration, 'dataDirectory'> {
  readonly schema: string;
  readonly environment: Environment;
  /** Receives each line of the output, without its line break. */
  readonly print: (line: string) => void;
}

/**
 * Checks a schema file. Prints a line for each problem with its line, column and place, or a
 * summary without secrets. Returns the exit code: 0, or 1 if there are problems.
 */
export async function runCheck(options: CheckOptions): Promise<0 | 1> {
  const { schema: path, environment, keysFile, jwtKeyFile, queriesFile, print } = options;
  const { tlsCert, tlsKey } = options;
  try {
    const schema = loadSchema(await readSchemaFile(path, environment));
    for (const line of summarize(schema, options)) print(line);
    if (jwtKeyFile !== undefined) readTokenKey(jwtKeyFile);
    if (queriesFile !== undefined) readAllowedQueries(queriesFile);
    const certificate = certificateOf({ tlsCert, tlsKey });
    if (certificate !== undefined) readCertificate(certificate);
    if (keysFile === undefined) return 0;
    const keys = readKeys(keysFile);
    for (const line of keyTable(keys)) print(line);
    const unknown = unknownNames(keys, schema);
    for (const line of unknown) print(line);
    return unknown.length > 0 ? 1 : 0;
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    for (const line of error.message.split('\n')) print(line);
    return 1;
  }
}

function summarize(
  { version, domain, sources, stages, views }: Schema,
  { schema: path, dataDirectory }: CheckOptions,
): string[] {
  const names = (items: readonly { readonly name: string }[]) =>
    items.map((item) => item.name).join(', ');
  return [
    `${path} is valid.`,
    `version ${version}`,
    `entities ${names(domain.entities)}`,
    ...sources.map((source) => {
      const { name, dialect, mapping, passesDefaultMapping } = source;
      const isUsed = stages.some((stage) => stage.sources.some((each) => each.name === name));
      const place = describeConnection(source, dataDirectory);
      const notes = [
        ...(passesDefaultMapping
          ? ["it names no mapping, so it has the first, not 'default'"]
          : []),
        ...(isUsed ? [] : ['no stage uses it']),
      ];
      return [`source ${name}: ${dialect}, mapping ${mapping}, ${place}`, ...notes].join('; ');
    }),
    `stages ${names(stages)}`,
    `views ${names(views)}`,
  ];
}
