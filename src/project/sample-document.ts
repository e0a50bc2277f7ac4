/**
 * The document of the sample domain. The program contains what this module returns (`scripts/bundle-program.mjs`),
 * because a start would take a quarter longer if it read YAML.
 */
import { openSchemaFile } from './schema-file.js';

/** Its variables are not replaced, and its content is not checked. */
export async function sampleDocument(path: string): Promise<unknown> {
  const { document } = await openSchemaFile(path);
  return document;
}
