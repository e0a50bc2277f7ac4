/** `rowgate introspect`: drafts a schema file from the tables of a database. */
import { writeFile } from 'node:fs/promises';
import { UsageError } from './arguments.js';
import type { Command, CommandCall } from './command.js';
import { maskUrl } from './describe-connection.js';
import { writeOutput } from './output.js';
import { draftDatabase, schemaNames } from '../project/draft-database.js';
import { draftYaml, remarkLine } from './draft-yaml.js';

export const introspect: Command = {
  positionals: ['URL'],
  flags: {
    schemas: ['A,B', 'reads the tables of these schemas'],
    output: ['FILE', 'writes the schema to a file instead of printing it'],
    force: 'replaces a file that exists',
  },
  options: [],
  examples: ['introspect postgres://user:password@localhost:5432/shop --output shop.yaml'],
  run: runIntrospect,
};

async function runIntrospect(call: CommandCall): Promise<number> {
  const { values, switches, positionals } = call.arguments;
  const [url = ''] = positionals;
  const drafted = await draftDatabase({ url, schemas: schemaNames(values.get('schemas')) });
  const text = draftYaml(drafted, maskUrl(url));
  const output = values.get('output');
  if (output === undefined) call.terminal.print(text.trimEnd());
  else await write(output, text, switches.has('force'));
  for (const remark of drafted.draft.remarks) call.terminal.report(remarkLine(remark));
  return 0;
}

/** Writes the file. One that exists may have been edited, so it is replaced only on demand. */
async function write(path: string, text: string, isForced: boolean): Promise<void> {
  if (isForced) return writeOutput(path, [text]);
  try {
    await writeFile(path, text, { flag: 'wx' });
  } catch (error) {
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    if (!isThere) throw error;
    throw new UsageError(`${path} exists already: --force replaces it, and its changes are lost`);
  }
}
