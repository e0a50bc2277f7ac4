/** `rowgate import` and `rowgate export`: the rows of a stage, from and to a file. */
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { copyAnswer, withGateway } from './ask-gateway.js';
import type { Command, CommandCall } from './command.js';

export const importRows: Command = {
  name: 'import',
  summary: 'stores the rows of a file, all or none (--stage, --url)',
  syntax: { values: ['url', 'stage'], switches: [], positionals: ['FILE'] },
  run: runImport,
};

export const exportRows: Command = {
  name: 'export',
  summary: 'writes all rows of a stage to a file or standard output (--stage, --url, --pretty)',
  syntax: { values: ['url', 'stage'], switches: ['pretty'], positionals: ['[FILE]'] },
  run: runExport,
};

async function runImport(call: CommandCall): Promise<number> {
  const [file = ''] = call.arguments.positionals;
  await (await open(file)).close();
  return withGateway(call, async (baseUrl) => {
    const body = Readable.toWeb(createReadStream(file));
    const headers = { 'content-type': 'application/json' };
    const request = { method: 'POST', headers, body, duplex: 'half' } as const;
    const response = await fetch(stageUrl(baseUrl, call, 'import?format=beautiful'), request);
    return copyAnswer(response, call, undefined);
  });
}

function runExport(call: CommandCall): Promise<number> {
  const format = call.arguments.switches.has('pretty') ? '?format=beautiful' : '';
  return withGateway(call, async (baseUrl) => {
    const response = await fetch(stageUrl(baseUrl, call, `export${format}`));
    return copyAnswer(response, call, call.arguments.positionals[0]);
  });
}

function stageUrl(baseUrl: string, call: CommandCall, rest: string): string {
  const stage = encodeURIComponent(call.arguments.values.get('stage') ?? 'default');
  return `${baseUrl}/stages/${stage}/${rest}`;
}
