/**
 * The schema that a command works on, and its databases: those that the schema file names, or the
 * embedded one for a PostgreSQL source without a connection.
 */
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { type EmbeddedOptions, startEmbedded } from '../embedded/start-embedded.js';
import {
  type Connection,
  draftDocument,
  loadSchema,
  type Remark,
  type Schema,
  type Source,
} from '../engine/index.js';
import type { CommandCall } from './command.js';
import { type DraftedDatabase, draftDatabase } from './draft-database.js';
import { readSchemaFile } from './schema-file.js';

/** The schema in force, with a connection for every source. */
export interface Project {
  readonly schema: Schema;
  /** Whether the embedded database serves a source of the schema. */
  readonly isEmbedded: (source: Source) => boolean;
  /** Whether this is the sample domain on the embedded database, which may be filled with rows. */
  readonly sample: boolean;
  /** Loads the schema file again, for the same databases. */
  reread(): Promise<Schema>;
  /** Stops the embedded database, if it was started. */
  close(): Promise<void>;
}

/** The path of the sample domain. */
export const sampleSchemaPath = fileURLToPath(
  new URL('../../schemas/northwind.yaml', import.meta.url),
);

/** How a project is opened. */
export interface OpenOptions {
  /** For a command that asks no database; the embedded one is not started then. */
  readonly withoutDatabase?: boolean;
  /** Called when the embedded database ends by itself. */
  readonly report?: NonNullable<EmbeddedOptions['report']>;
}

/** A project without a schema file: the schema is drafted from the tables of the database. */
export async function openDrafted(
  database: DraftedDatabase,
  tell: (remark: Remark) => void,
): Promise<Project> {
  const read = async () => {
    const { draft, dialect } = await draftDatabase(database);
    draft.remarks.forEach(tell);
    return loadSchema(draftDocument(draft, { dialect, connection: { url: database.url } }));
  };
  const schema = await read();
  const close = () => Promise.resolve();
  return { schema, sample: false, isEmbedded: () => false, reread: read, close };
}

/** Loads the schema, and starts the embedded database when a source needs it. */
export async function openProject(
  { configuration, terminal }: CommandCall,
  { withoutDatabase = false, report }: OpenOptions = {},
): Promise<Project> {
  const path = configuration.schema ?? sampleSchemaPath;
  const read = async () => loadSchema(await readSchemaFile(path, terminal.environment));
  const schema = await read();
  if (withoutDatabase || !needsEmbedded(schema)) {
    const close = () => Promise.resolve();
    return { schema, sample: false, isEmbedded: () => false, reread: read, close };
  }
  const database = await startEmbedded({
    dataDirectory: configuration.dataDirectory,
    ...(report && { report }),
  });
  const { connection } = database;
  return {
    schema: withConnection(schema, connection),
    sample: configuration.schema === undefined,
    isEmbedded: (source) => isDeepStrictEqual(source.connection, connection),
    reread: async () => withConnection(await read(), connection),
    close: () => database.stop(),
  };
}

function needsEmbedded({ sources }: Schema): boolean {
  return sources.some(isWithoutConnection);
}

/** Only PostgreSQL can be embedded. */
function isWithoutConnection({ dialect, connection }: Source): boolean {
  return dialect === 'PostgreSQL' && Object.keys(connection).length === 0;
}

/** The schema with `connection` for every source of PostgreSQL that names none. */
function withConnection(schema: Schema, connection: Connection): Schema {
  const sources = schema.sources.map((source) =>
    isWithoutConnection(source) ? { ...source, connection } : source,
  );
  return { ...schema, sources };
}
