/** `rowgate console`: executes queries as they are typed, with completion and a history. */
import { readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { clauseWords, functionNames } from '../engine/index.js';
import { messageOf } from '../gateway/error-message.js';
import { isObject } from '../gateway/json-value.js';
import { copyAnswer, credentials, queryRequest, withGateway } from './ask-gateway.js';
import { type Command, type CommandCall, type GatewayCall, gatewayFlags } from './command.js';
import {
  completeQuery,
  type EntityWords,
  isUnfinished,
  type Vocabulary,
} from './complete-query.js';
import { printTable } from './print-table.js';
import { readLines } from './read-lines.js';

const HISTORY_LINES = 1000;

export const consoleCommand: Command = {
  positionals: [],
  flags: gatewayFlags,
  options: ['Schema and databases'],
  examples: ['console', 'console --url http://127.0.0.1:9291'],
  run: (call) => withGateway(call, (baseUrl, own) => runConsole(own, baseUrl)),
};

const help = `A query is executed when its brackets are closed; Tab completes names.
.data JSON      sets the values of parameters; without JSON, removes them
.plan QUERY     prints the SQL statements of a query
.format FORMAT  table or json
.entities       lists the entities
.exit           ends, like exit, quit and Ctrl-D`;

const dotCommands = ['.data', '.plan', '.format', '.entities', '.help', '.exit'];

/** The state that earlier lines have set. */
interface Session {
  readonly call: GatewayCall;
  readonly baseUrl: string;
  readonly words: Vocabulary;
  data: string | undefined;
  format: 'table' | 'json';
}

async function runConsole(call: GatewayCall, baseUrl: string): Promise<number> {
  const { terminal } = call;
  const entities = await entitiesOf(call, baseUrl);
  const words = { entities, clauses: clauseWords, functions: functionNames };
  const session: Session = { call, baseUrl, words, data: undefined, format: 'table' };
  const isTyped = process.stdin.isTTY && terminal.isTerminal;
  const typed = isTyped ? openTerminal(call, words) : undefined;
  let pending = '';
  let failures = 0;
  const prompt = () => typed?.prompt(pending === '' ? 'rowgate> ' : '     ... ');
  prompt();
  for await (const line of typed?.lines ?? readLines(process.stdin)) {
    // A file from Windows has \r before each line feed.
    pending = pending === '' ? line.trim() : `${pending}\n${line.replace(/\r$/, '')}`;
    const isOpen = !pending.startsWith('.') && isUnfinished(pending);
    if (isExit(pending, session.words)) {
      pending = '';
      break;
    }
    if (pending !== '' && !isOpen) {
      failures += await executeLine(session, pending);
      pending = '';
    }
    prompt();
  }
  typed?.lines.close();
  if (!isTyped && pending !== '') {
    terminal.report('rowgate: The last query is unfinished: a bracket or a quote is not closed.');
    return 1;
  }
  return isTyped || failures === 0 ? 0 : 1;
}

/** The lines that are typed on a terminal, with completion and a history. Ctrl-C ends them. */
function openTerminal({ environment, terminal }: CommandCall, words: Vocabulary) {
  terminal.print(`${words.entities.length} entities; .help lists the commands.`);
  const historyFile = environment['ROWGATE_HISTORY'] ?? join(homedir(), '.rowgate_history');
  const lines = createInterface({
    input: process.stdin,
    output: process.stdout,
    history: readHistory(historyFile),
    historySize: HISTORY_LINES,
    removeHistoryDuplicates: true,
    completer: (text: string) =>
      text.startsWith('.') && !text.includes(' ')
        ? [dotCommands.filter((each) => each.startsWith(text)), text]
        : completeQuery(text, words),
  });
  lines.on('history', (history: readonly string[]) => writeHistory(historyFile, history));
  lines.on('SIGINT', () => lines.close());
  let isOpen = true;
  lines.once('close', () => (isOpen = false));
  const prompt = (text: string): void => {
    lines.setPrompt(text);
    // A prompt after the end would be an error: it may come while a query runs.
    if (isOpen) lines.prompt();
  };
  return { lines, prompt };
}

/** Whether a line ends the console: `.exit`, or a word that is not an entity. */
function isExit(line: string, { entities }: Vocabulary): boolean {
  if (line === 'exit' || line === 'quit') return !entities.some(({ name }) => name === line);
  return line === '.exit';
}

/** Executes a command or a query. Resolves to 0, or 1 after an error, which is printed. */
async function executeLine(session: Session, text: string): Promise<number> {
  const { print, report } = session.call.terminal;
  const [, name = '', rest = ''] = /^(\.\w*)?\s*([\s\S]*)$/.exec(text) ?? [];
  try {
    switch (name) {
      case '':
        return await execute(session, rest, 'execute');
      case '.plan':
        return await execute(session, rest, 'plan');
      case '.data':
        if (rest !== '') JSON.parse(rest);
        session.data = rest === '' ? undefined : rest;
        return 0;
      case '.format':
        if (rest !== 'table' && rest !== 'json') throw new Error('.format takes table or json.');
        session.format = rest;
        return 0;
      case '.entities':
        for (const entity of session.words.entities) print(entity.name);
        return 0;
      case '.help':
        print(help);
        return 0;
      default:
        throw new Error(`There is no command ${name}: .help lists them.`);
    }
  } catch (error) {
    report(`rowgate: ${messageOf(error)}`);
    return 1;
  }
}

async function execute(
  session: Session,
  query: string,
  endpoint: 'execute' | 'plan',
): Promise<number> {
  const { call, baseUrl, data, format } = session;
  const isTable = endpoint === 'execute' && format === 'table';
  const address = `${baseUrl}/${endpoint}${isTable ? '' : '?format=beautiful'}`;
  const accept = isTable ? 'application/x-ndjson' : 'application/json';
  const response = await fetch(address, queryRequest(call, query, data, accept));
  return isTable ? printTable(response, call) : copyAnswer(response, call);
}

/** The entities for completion; none if the sender may not read them. */
async function entitiesOf(call: CommandCall, baseUrl: string): Promise<readonly EntityWords[]> {
  const response = await fetch(`${baseUrl}/entities`, { headers: credentials(call) });
  const found: unknown = response.ok ? await response.json() : [];
  return Array.isArray(found) ? found.filter(isEntity) : [];
}

function isEntity(value: unknown): value is EntityWords {
  return isObject(value) && 'name' in value && 'properties' in value && 'relations' in value;
}

/** The lines of the history, the latest first. */
function readHistory(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n').filter(Boolean).slice(0, HISTORY_LINES);
  } catch {
    return [];
  }
}

/** Writes a file that only the user may read: queries may contain personal data. */
function writeHistory(file: string, history: readonly string[]): void {
  try {
    writeFileSync(file, `${history.join('\n')}\n`, { mode: 0o600 });
  } catch {
    // The console also works without a history.
  }
}
