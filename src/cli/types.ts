/** `rowgate types`: writes the domain's types for the TypeScript client. */
import type { DomainDescription } from '../engine/index.js';
import { isObject } from '../gateway/json-value.js';
import { credentials, reportRefusal, withGateway } from './ask-gateway.js';
import { type Command, type GatewayCall, gatewayFlags } from './command.js';
import { domainTypes } from './domain-types.js';
import { writeOutput } from './output.js';

export const types: Command = {
  positionals: [],
  flags: {
    url: gatewayFlags.url,
    view: gatewayFlags.view,
    output: ['FILE', 'writes the types to a file'],
  },
  options: ['Schema and databases'],
  examples: ['types --url http://127.0.0.1:9291 --output domain.ts'],
  run: (call) => withGateway(call, (url, own) => writeTypes(own, url), { withoutDatabase: true }),
};

async function writeTypes(call: GatewayCall, baseUrl: string): Promise<number> {
  const { values } = call.arguments;
  const view = values.get('view');
  const query = view === undefined ? '' : `?view=${encodeURIComponent(view)}`;
  const response = await fetch(`${baseUrl}/domain${query}`, { headers: credentials(call) });
  if (!response.ok) return reportRefusal(response, call);
  const domain: unknown = await response.json();
  if (!isDomain(domain)) throw new Error('The answer of /domain is not a domain.');
  await writeOutput(values.get('output'), [domainTypes(domain)]);
  return 0;
}

function isDomain(value: unknown): value is DomainDescription {
  return isObject(value) && Array.isArray(value['entities']);
}
