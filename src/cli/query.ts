/** `rowgate query` and `rowgate plan`: execute or explain one expression. */
import { copyAnswer, credentials, withGateway } from './ask-gateway.js';
import type { Command, CommandCall } from './command.js';
import type { OpenOptions } from '../project/project.js';

const values = ['url', 'stage', 'view', 'data', 'output'];
const positionals = ['EXPRESSION'];

export const query: Command = {
  name: 'query',
  summary:
    'prints the rows of an expression (--data JSON, --stage, --view, --output FILE, --compact, --url)',
  syntax: { values, switches: ['compact'], positionals },
  run: (call) => post(call, 'execute', {}),
};

export const plan: Command = {
  name: 'plan',
  summary:
    'prints the SQL statements of an expression (--stage, --view, --output FILE, --compact, --url)',
  syntax: { values, switches: ['compact'], positionals },
  run: (call) => post(call, 'plan', { withoutDatabase: true }),
};

function post(call: CommandCall, endpoint: string, opening: OpenOptions): Promise<number> {
  const {
    values: given,
    switches,
    positionals: [expression],
  } = call.arguments;
  const options = { stage: given.get('stage'), view: given.get('view') };
  const body = JSON.stringify({ query: expression, data: given.get('data'), options });
  const format = switches.has('compact') ? '' : '?format=beautiful';
  const ask = async (baseUrl: string) => {
    const headers = { 'content-type': 'application/json', ...credentials(call) };
    const request = { method: 'POST', headers, body };
    const response = await fetch(`${baseUrl}/${endpoint}${format}`, request);
    return copyAnswer(response, call, given.get('output'));
  };
  return withGateway(call, ask, opening);
}
