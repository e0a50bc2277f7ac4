/** Compares the names in a new key with the schema, if the command is given one. */
import { EngineError, loadSchema, type Schema } from '../engine/index.js';
import type { KeyEntry } from '../gateway/access/keys-file.js';
import type { CommandCall } from './command.js';
import { unknownNames } from './describe-keys.js';

/** Rejects if the key names a stage, view or entity that the schema does not have. Warns if the schema is not known. */
export async function checkKeyNames(call: CommandCall, key: KeyEntry): Promise<void> {
  if ((key.stages ?? key.view ?? key.entities) === undefined) return;
  const schema = await schemaOf(call);
  if (typeof schema === 'string') {
    call.terminal.report(`The names in the key were not compared with the schema: ${schema}`);
    return;
  }
  const unknown = unknownNames([key], schema);
  if (unknown.length > 0) throw new Error(unknown.join('\n'));
}

/** The schema, or why it is not known. */
async function schemaOf({ configuration, environment }: CommandCall): Promise<Schema | string> {
  const { schema: path } = configuration;
  if (path === undefined) return 'give its file with --schema, or use rowgate check.';
  // Loaded only here, because it loads `yaml`.
  const { readSchemaFile } = await import('../project/schema-file.js');
  try {
    return loadSchema(await readSchemaFile(path, environment));
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return error.message;
  }
}
