/**
 * A schema with its databases: those in the schema file, an existing one given by its address, or the
 * embedded database for PostgreSQL sources without a connection.
 */
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import {
  checkSchema,
  type Connection,
  draftDocument,
  EngineError,
  type Environment,
  loadSchema,
  type Schema,
  type Source,
  substitute,
} from '../engine/index.js';
import type { EmbeddedDatabase } from '../embedded/start-embedded.js';
import type { Configuration } from '../gateway/config.js';
import type { Observe } from '../gateway/observe.js';
import { type DraftedDatabase, draftDatabase, isAddressOf } from './draft-database.js';

/** The schema in force, with a connection for every source. */
export interface Project {
  readonly schema: Schema;
  /** Whether the embedded database serves a source of the schema. */
  readonly isEmbedded: (source: Source) => boolean;
  /** The folder of the embedded database: not that of the configuration, if PostgreSQL's user cannot enter that. */
  readonly embeddedFolder: string | undefined;
  /** For the sample domain on the embedded database: a file that exists until the sample's rows have been loaded. */
  readonly sampleMark: string | undefined;
  /** Loads the schema again, for the same databases. */
  reread(): Promise<Schema>;
  /** Stops the embedded database, if it was started. */
  close(): Promise<void>;
}

/** Where the schema and its connections come from. */
export interface ProjectOrigin {
  readonly configuration: Pick<Configuration, 'schema' | 'dataDirectory'>;
  /** The variables that the schema file may use. */
  readonly environment: Environment;
  /**
   * An existing database: for `DATABASE_URL` in the schema file and for sources without a connection, or to
   * draft a schema from.
   */
  readonly database?: DraftedDatabase | undefined;
}

export interface OpenOptions {
  /** For a command that needs no database: the embedded one is not started. */
  readonly withoutDatabase?: boolean;
  /** Receives what a drafted schema leaves out, and when the embedded database ends by itself. */
  readonly observe?: Observe;
}

/** The path of the sample domain. */
export const sampleSchemaPath = fileURLToPath(
  new URL('../../schemas/northwind.yaml', import.meta.url),
);

/** With an existing database and no schema file, the schema is drafted from its tables. */
export async function openProject(
  { configuration, environment, database }: ProjectOrigin,
  { withoutDatabase = false, observe = () => undefined }: OpenOptions = {},
): Promise<Project> {
  if (database && configuration.schema === undefined) return openDrafted(database, observe);
  const path = configuration.schema ?? sampleSchemaPath;
  const variables = database ? { ...environment, DATABASE_URL: database.url } : environment;
  const read = async () => {
    const schema = loadSchema(await readDocument(configuration.schema, variables));
    if (!database) return schema;
    const { url } = database;
    const lacksOne = (source: Source) => hasNone(source) && isAddressOf(source.dialect, url);
    const result = withConnection(schema, { url }, lacksOne);
    refuseUnused(result, url);
    return result;
  };
  const schema = await read();
  if (withoutDatabase || !schema.sources.some(isEmbeddable)) {
    return unembedded(schema, async () => withoutEmbedded(await read()));
  }
  const { dataDirectory } = configuration;
  const { startEmbedded } = await import('../embedded/start-embedded.js');
  const embedded = await startEmbedded({ dataDirectory, report: observe });
  const connection = await connectionFor(path, embedded).catch(async (error: unknown) => {
    await embedded.stop();
    throw error;
  });
  return {
    schema: withConnection(schema, connection, isEmbeddable),
    sampleMark: configuration.schema === undefined ? markOf(embedded) : undefined,
    isEmbedded: (source) => isDeepStrictEqual(source.connection, connection),
    embeddedFolder: embedded.dataDirectory,
    reread: async () => withConnection(await read(), connection, isEmbeddable),
    close: embedded.stop,
  };
}

/** The document of the schema file, or of the sample, with its variables replaced. */
async function readDocument(path: string | undefined, variables: Environment): Promise<unknown> {
  if (path === undefined) {
    const { sampleDocument } = await import('./sample-document.js');
    const document = await sampleDocument(sampleSchemaPath);
    // Only the file has the positions of problems, such as a variable with a wrong value.
    if (checkSchema(document, variables).length === 0) return substitute(document, variables);
  }
  const { readSchemaFile } = await import('./schema-file.js');
  return readSchemaFile(path ?? sampleSchemaPath, variables);
}

/** The database for a schema file: the sample has its own. */
async function connectionFor(path: string, embedded: EmbeddedDatabase): Promise<Connection> {
  if (resolve(path) !== sampleSchemaPath) return embedded.connection;
  const { provideSampleDatabase } = await import('./sample-database.js');
  return provideSampleDatabase(embedded.connection, markOf(embedded));
}

function markOf({ dataDirectory }: EmbeddedDatabase): string {
  return join(dataDirectory, 'sample-awaited');
}

/** Opens the project, and closes it when `use` has settled. */
export async function withProject<Result>(
  origin: ProjectOrigin,
  use: (project: Project) => Promise<Result>,
  options: OpenOptions = {},
): Promise<Result> {
  const project = await openProject(origin, options);
  try {
    return await use(project);
  } finally {
    await project.close();
  }
}

async function openDrafted(database: DraftedDatabase, observe: Observe): Promise<Project> {
  const read = async () => {
    const { draft, dialect } = await draftDatabase(database);
    for (const { isMapped, ...remark } of draft.remarks)
      observe({ kind: isMapped ? 'limited' : 'unmapped', ...remark });
    return loadSchema(draftDocument(draft, { dialect, connection: { url: database.url } }));
  };
  return unembedded(await read(), read);
}

/** A source of another dialect than the given address must not fall to the embedded database unnoticed. */
function refuseUnused({ sources }: Schema, url: string): void {
  const other = sources.find(isEmbeddable);
  if (!other || sources.some(({ connection }) => connection.url === url)) return;
  const { name, dialect } = other;
  const message =
    `The address of --url is not one of ${dialect}, the dialect of source '${name}': ` +
    'write the dialect of the source in the schema file.';
  throw new EngineError('schema-invalid', message);
}

function unembedded(schema: Schema, reread: () => Promise<Schema>): Project {
  const close = () => Promise.resolve();
  const none = { sampleMark: undefined, embeddedFolder: undefined };
  return { schema, ...none, isEmbedded: () => false, reread, close };
}

/** The embedded database is started only at the start, and without it pg would try to connect to localhost. */
function withoutEmbedded(schema: Schema): Schema {
  const source = schema.sources.find(isEmbeddable);
  if (!source) return schema;
  const message = `The source '${source.name}' has no connection: give it one, or restart Rowgate with the embedded database.`;
  throw new EngineError('schema-invalid', message);
}

/** Only PostgreSQL can be embedded. */
function isEmbeddable(source: Source): boolean {
  return source.dialect === 'PostgreSQL' && hasNone(source);
}

function hasNone({ connection }: Source): boolean {
  return Object.keys(connection).length === 0;
}

/** The schema with `connection` for the sources that lack one. */
function withConnection(
  schema: Schema,
  connection: Connection,
  lacksOne: (source: Source) => boolean,
): Schema {
  const sources = schema.sources.map((source) =>
    lacksOne(source) ? { ...source, connection } : source,
  );
  return { ...schema, sources };
}
