/**
 * The schema that a command works on, and the databases behind it: those of the schema file, or the
 * embedded one, which stands in wherever a source of PostgreSQL names no connection.
 */
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { type EmbeddedOptions, startEmbedded } from '../embedded/start-embedded.js';
import { type Connection, loadSchema, type Schema, type Source } from '../engine/index.js';
import type { CommandCall } from './command.js';
import { readSchemaFile } from './schema-file.js';

/** The schema in force, with a connection for every source. */
export interface Project {
  /** The schema file as plain data, its variables replaced and its connections settled. */
  readonly schemaDocument: unknown;
  readonly schema: Schema;
  /** Whether the embedded database serves a source of the schema. */
  readonly isEmbedded: (source: Source) => boolean;
  /** Whether the schema is the sample domain that comes with Rowgate. */
  readonly sample: boolean;
  /** Reads the schema file again, for the same databases. */
  reread(): Promise<unknown>;
  /** Stops the embedded database, if it was started. */
  close(): Promise<void>;
}

/** The path of the sample domain. */
export const sampleSchemaPath = fileURLToPath(
  new URL('../../schemas/northwind.yaml', import.meta.url),
);

/** How a workplace is opened. */
export interface OpenOptions {
  /** For a command that asks no database; the embedded one is not started then. */
  readonly withoutDatabase?: boolean;
  /** Hears when the embedded database ends by itself. */
  readonly report?: NonNullable<EmbeddedOptions['report']>;
}

/** Loads the schema, and starts the embedded database when a source needs it. */
export async function openProject(
  { configuration, terminal }: CommandCall,
  { withoutDatabase = false, report }: OpenOptions = {},
): Promise<Project> {
  const path = configuration.schema ?? sampleSchemaPath;
  const read = () => readSchemaFile(path, terminal.environment);
  const written = await read();
  if (withoutDatabase || !needsEmbedded(loadSchema(written)))
    return project(written, { reread: read });
  const database = await startEmbedded({
    dataDirectory: configuration.dataDirectory,
    ...(report && { report }),
  });
  const settle = (document: unknown) => withConnection(document, database.connection);
  const close = () => database.stop();
  const reread = async () => settle(await read());
  const sample = configuration.schema === undefined;
  const isEmbedded = (source: Source) => isDeepStrictEqual(source.connection, database.connection);
  return { ...project(settle(written), { reread, close }), isEmbedded, sample };
}

interface ProjectParts {
  readonly reread: () => Promise<unknown>;
  readonly close?: () => Promise<void>;
}

function project(schemaDocument: unknown, { reread, close }: ProjectParts): Project {
  const schema = loadSchema(schemaDocument);
  const stop = close ?? (() => Promise.resolve());
  const isEmbedded = () => false;
  return { schemaDocument, schema, isEmbedded, sample: false, reread, close: stop };
}

function needsEmbedded(schema: Schema): boolean {
  return schema.sources.some(
    ({ dialect, connection }) => dialect === 'PostgreSQL' && isUnset(connection),
  );
}

function isUnset(connection: Connection): boolean {
  return Object.keys(connection).length === 0;
}

/** The document with `connection` for every source of PostgreSQL that names none. */
function withConnection(document: unknown, connection: Connection): unknown {
  const { sources } = loadSchema(document);
  const root = asRecord(document);
  const infrastructure = asRecord(root['infrastructure']);
  const written: unknown[] = Array.isArray(infrastructure['sources'])
    ? infrastructure['sources']
    : sources.map(({ name, dialect, mapping }) => ({ name, dialect, mapping }));
  const settled = written.map((source, index) => {
    const loaded = sources[index];
    const isOurs = loaded?.dialect === 'PostgreSQL' && isUnset(loaded.connection);
    return isOurs ? { ...asRecord(source), connection } : source;
  });
  return { ...root, infrastructure: { ...infrastructure, sources: settled } };
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
