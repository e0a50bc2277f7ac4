/** `rowgate query` and `rowgate plan`: execute or explain one expression. */
import { UsageError } from './arguments.js';
import { copyAnswer, queryRequest, withGateway } from './ask-gateway.js';
import { type Command, type CommandCall, type GatewayCall, gatewayFlags } from './command.js';
import { rejectLateProblem } from './late-problem.js';
import type { OpenOptions } from '../project/project.js';

const values = {
  ...gatewayFlags,
  data: ['JSON', 'the values of the parameters, or the rows to write'],
  output: ['FILE', 'writes the answer to a file'],
} as const;
const compact = 'prints JSON on one line';

/** The media types of the formats. */
const formats: ReadonlyMap<string, string> = new Map([
  ['table', 'application/x-ndjson'],
  ['json', 'application/json'],
  ['ndjson', 'application/x-ndjson'],
  ['csv', 'text/csv'],
]);

export const query: Command = {
  positionals: ['EXPRESSION'],
  flags: {
    ...values,
    format: [
      'FORMAT',
      'table, json, ndjson or csv; by default a table on a terminal, and json otherwise',
    ],
    compact,
  },
  options: ['Schema and databases'],
  examples: [
    `query 'Orders.filter(p=>p.id==id)' --data '{"id": 2}' --url http://127.0.0.1:9291`,
    "query 'Products.take(3)' --format csv --output products.csv",
  ],
  run: (call) => post(call, 'execute', {}),
};

export const plan: Command = {
  positionals: ['EXPRESSION'],
  flags: { ...values, compact },
  options: ['Schema and databases'],
  examples: ["plan 'Orders.filter(p=>p.customerId==customerId)'"],
  run: (call) => post(call, 'plan', { withoutDatabase: true }),
};

function post(call: CommandCall, endpoint: string, opening: OpenOptions): Promise<number> {
  const { values: given, switches, positionals } = call.arguments;
  const [expression = ''] = positionals;
  const format = formatOf(call, endpoint);
  const accept = formats.get(format);
  if (accept === undefined) {
    throw new UsageError(`--format takes ${[...formats.keys()].join(', ')}, not '${format}'.`);
  }
  const file = given.get('output');
  if (format === 'table' && file !== undefined) {
    throw new UsageError('--format table is for terminals: --output takes json, ndjson or csv.');
  }
  const isIndented = format === 'json' && !switches.has('compact');
  const ask = async (baseUrl: string, own: GatewayCall) => {
    const address = `${baseUrl}/${endpoint}${isIndented ? '?format=beautiful' : ''}`;
    const request = queryRequest(call, expression, given.get('data'), accept);
    const response = await fetch(address, request);
    const watch = format === 'ndjson' ? rejectLateProblem : undefined;
    if (format !== 'table') return copyAnswer(response, own, { file, watch });
    const { printTable } = await import('./print-table.js');
    return printTable(response, own);
  };
  return withGateway(call, ask, opening);
}

function formatOf(
  { arguments: { values: given, switches }, terminal }: CommandCall,
  endpoint: string,
) {
  const isForPeople = terminal.isTerminal && !given.has('output') && !switches.has('compact');
  return given.get('format') ?? (isForPeople && endpoint === 'execute' ? 'table' : 'json');
}
