/** Groups the options of the configuration for people. */
import { allOptions } from '../gateway/config.js';
import type { Option } from '../gateway/option.js';
import type { OptionName } from '../gateway/options.js';

export const optionGroups = [
  'Schema and databases',
  'Address',
  'Access',
  'Requests',
  'Waiting and overload',
  'Workers and memory',
  'Writes and transactions',
  'Clients',
  'Shutdown',
  'Log and statistics',
  'Other',
] as const;
export type OptionGroup = (typeof optionGroups)[number];

const members: Partial<Record<OptionGroup, readonly OptionName[]>> = {
  'Schema and databases': [
    ...(['schema', 'dataDirectory', 'sampleScale', 'connections', 'connectTimeoutMs'] as const),
    ...(['statementTimeoutMs', 'preparedStatements'] as const),
  ],
  Address: ['host', 'port', 'adminPort', 'socket', 'socketMode', 'tlsCert', 'tlsKey', 'httpServer'],
  Access: [
    ...(['keysFile', 'jwtKeyFile', 'jwtJwksUrl', 'jwtIssuer', 'jwtAudience'] as const),
    ...(['jwtClaim', 'jwtClockSkewMs', 'queriesFile', 'insecure'] as const),
  ],
  Requests: [
    ...(['bodyBytesMax', 'importBytesMax', 'headersBytesMax', 'expressionLengthMax'] as const),
    ...(['nestingMax', 'includeDepthMax', 'rowsMax', 'strictData', 'strictImport'] as const),
    ...(['executeQueriesMax', 'compression'] as const),
  ],
  'Waiting and overload': ['queueMax', 'queueWaitMs', 'expectedWaitMs', 'longReads', 'batching'],
  'Workers and memory': [
    ...(['workers', 'workerHeapBytesMax', 'workerStallMs', 'bodiesBytesMax'] as const),
    ...([
      'planCacheEntries',
      'sharePlansFrom',
      'planCacheBytes',
      'streamWindowBytes',
      'streamsBytesMax',
    ] as const),
  ],
  'Writes and transactions': [
    ...(['transactionStepsMax', 'transactionRetries', 'transactionTimeoutMs'] as const),
    ...(['transactionAnswerBytesMax', 'idempotencyMs'] as const),
  ],
  Clients: [
    ...(['rateLimit', 'rateBurst', 'addressRequestsMax', 'trustedProxies'] as const),
    ...(['corsOrigins', 'writeStallMs'] as const),
  ],
  Shutdown: ['drainDelayMs', 'drainTimeoutMs'],
  'Log and statistics': [
    ...(['logLevel', 'logFormat', 'accessLog', 'logParameters', 'slowMs'] as const),
    ...(['latencyBuckets', 'statsPlans', 'sourceCheckMs'] as const),
    ...(['serverTiming', 'sqlComments'] as const),
  ],
};

/** The options of a group in their order; an option without a group is in the last one. */
export function optionsOf(group: OptionGroup): readonly Option<unknown>[] {
  const names: readonly string[] = members[group] ?? [];
  const grouped = new Set<string>(Object.values(members).flat());
  return allOptions()
    .filter(([name]) => (group === 'Other' ? !grouped.has(name) : names.includes(name)))
    .map(([, option]) => option);
}
