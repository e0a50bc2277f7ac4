/** `rowgate import` and `rowgate export`: store rows from a file in a stage, or write them to one. */
import { copyAnswer, credentials, sendDocument, withGateway } from './ask-gateway.js';
import { UsageError } from './arguments.js';
import { type Command, type CommandCall, gatewayFlags } from './command.js';
import { type ImportFile, openImport } from './import-file.js';
import { progressOutput, withProgress } from './transfer-progress.js';

export const importRows: Command = {
  positionals: ['FILE'],
  flags: {
    ...gatewayFlags,
    progress: 'reports bytes and the time left, even without a terminal',
    strict: 'refuses members that the schema does not know',
  },
  options: ['Schema and databases'],
  examples: [
    'import rows.json --url http://127.0.0.1:9291',
    'import rows.gz --schema shop.yaml',
    'import - --schema shop.yaml < rows.json',
  ],
  run: runImport,
};

export const exportRows: Command = {
  positionals: ['[FILE]'],
  flags: {
    ...gatewayFlags,
    output: ['FILE', 'the same as the argument FILE'],
    pretty: 'indents the document',
    'read-only': 'includes read-only entities, such as views of the database',
    progress: 'reports bytes, even without a terminal',
  },
  options: ['Schema and databases'],
  examples: [
    'export rows.json --url http://127.0.0.1:9291',
    'export --schema shop.yaml | gzip > rows.gz',
  ],
  run: runExport,
};

async function runImport(call: CommandCall): Promise<number> {
  const [file = ''] = call.arguments.positionals;
  const document = await openImport(file);
  return withGateway(call, async (baseUrl, own) => {
    const url = await stageUrl(baseUrl, call, 'import', true);
    const response = await sendDocument(call, url, documentOf(call, document));
    return copyAnswer(response, own);
  });
}

/** Progress is reported on a terminal, or with `--progress`. */
function documentOf(call: CommandCall, { body, totalBytes }: ImportFile) {
  const output = progressOutput(call.arguments.switches.has('progress'));
  return output ? withProgress(body, { totalBytes, ending: '; storing', ...output }) : body;
}

async function runExport(call: CommandCall): Promise<number> {
  const { positionals, values } = call.arguments;
  const [file, another] = [...positionals, values.get('output')].filter((each) => each);
  if (another !== undefined) {
    throw new UsageError('The file is given twice: as an argument, and with --output.');
  }
  const isPretty = call.arguments.switches.has('pretty');
  return withGateway(call, async (baseUrl, own) => {
    const response = await ask(call, await stageUrl(baseUrl, call, 'export', isPretty));
    // On a terminal, the rows themselves show the progress.
    const isDemanded = call.arguments.switches.has('progress');
    const output = file === undefined && !isDemanded ? undefined : progressOutput(isDemanded);
    const watch =
      output &&
      ((body: AsyncIterable<Uint8Array>) =>
        withProgress(body, { totalBytes: undefined, ...output }));
    return copyAnswer(response, own, { file, watch });
  });
}

async function stageUrl(
  baseUrl: string,
  call: CommandCall,
  task: 'import' | 'export',
  isPretty: boolean,
): Promise<string> {
  const { values } = call.arguments;
  const stage = values.get('stage') ?? (await usualStage(baseUrl, call));
  const view = values.get('view');
  const query = new URLSearchParams({
    ...(isPretty && { format: 'beautiful' }),
    ...(view !== undefined && { view }),
    ...(call.arguments.switches.has('strict') && { strict: 'true' }),
    ...(call.arguments.switches.has('read-only') && { readOnly: 'true' }),
  });
  return `${baseUrl}/stages/${encodeURIComponent(stage)}/${task}?${query.toString()}`;
}

function ask(call: CommandCall, url: string): Promise<Response> {
  return fetch(url, { headers: credentials(call) });
}

/** The stage `default`, or the first one if none has that name. */
async function usualStage(baseUrl: string, call: CommandCall): Promise<string> {
  const stages: unknown = await (await ask(call, `${baseUrl}/stages`)).json();
  const names = Array.isArray(stages) ? stages.map(({ name }) => String(name)) : [];
  return names.includes('default') ? 'default' : (names[0] ?? 'default');
}
