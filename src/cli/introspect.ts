/** `rowgate introspect`: a schema file made of the tables of a database. */
import { writeFile } from 'node:fs/promises';
import type { Command, CommandCall } from './command.js';
import { describeConnection } from './describe-connection.js';
import { draftDatabase, schemaNames } from '../project/draft-database.js';
import { draftYaml, remarkLine } from './draft-yaml.js';

export const introspect: Command = {
  name: 'introspect',
  summary: 'writes a schema file for the tables of a database (--schemas a,b, --output FILE)',
  syntax: { values: ['schemas', 'output'], switches: [], positionals: ['URL'] },
  run: runIntrospect,
};

async function runIntrospect(call: CommandCall): Promise<number> {
  const { values, positionals } = call.arguments;
  const [url = ''] = positionals;
  const drafted = await draftDatabase({ url, schemas: schemaNames(values.get('schemas')) });
  const text = draftYaml(drafted, describeConnection({ url }));
  const output = values.get('output');
  if (output === undefined) call.terminal.print(text.trimEnd());
  else await writeFile(output, text);
  for (const remark of drafted.draft.remarks) call.terminal.report(remarkLine(remark));
  return 0;
}
