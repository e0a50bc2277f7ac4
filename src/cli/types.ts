/** `rowgate types`: writes the domain's types for the TypeScript client. */
import { writeFile } from 'node:fs/promises';
import type { DomainDescription } from '../engine/index.js';
import { copyAnswer, credentials, withGateway } from './ask-gateway.js';
import type { Command, CommandCall } from './command.js';
import { domainTypes } from './domain-types.js';

export const types: Command = {
  name: 'types',
  summary: "writes the domain's types for @rowgate/client (--view, --output FILE, --url)",
  syntax: { values: ['url', 'view', 'output'], switches: [], positionals: [] },
  run: (call) => withGateway(call, (url) => writeTypes(call, url), { withoutDatabase: true }),
};

async function writeTypes(call: CommandCall, baseUrl: string): Promise<number> {
  const { values } = call.arguments;
  const view = values.get('view');
  const query = view === undefined ? '' : `?view=${encodeURIComponent(view)}`;
  const response = await fetch(`${baseUrl}/domain${query}`, { headers: credentials(call) });
  if (!response.ok) return copyAnswer(response, call, undefined);
  const domain: unknown = await response.json();
  if (!isDomain(domain)) throw new Error('The answer of /domain is not a domain.');
  const text = domainTypes(domain);
  const output = values.get('output');
  if (output === undefined) call.terminal.print(text.trimEnd());
  else await writeFile(output, text);
  return 0;
}

function isDomain(value: unknown): value is DomainDescription {
  return (
    typeof value === 'object' &&
    value !== null &&
    'entities' in value &&
    Array.isArray(value.entities)
  );
}
