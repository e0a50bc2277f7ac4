/** Chooses the format of rows by the Accept header (RFC 9110, 12.5.1). */
import type { RowsForm } from '../engine/index.js';
import { JSON_TYPE, type RowsHeaders } from './call.js';
import type { Header } from './http/exchange.js';
import { PrebuiltHeaders } from './http/prebuilt-headers.js';
import { bestOf, type Preference, readPreferences } from './http/qualities.js';
import { REQUEST_ID_PREFIX } from './request-id.js';

export interface RowsAnswerFormat extends RowsHeaders {
  /** Whether an error after the first byte is sent as a last line; otherwise it cuts the connection. */
  readonly endsWithFaultLine: boolean;
}

/** A format that a client may ask for. */
export interface RowsFormat extends RowsAnswerFormat {
  readonly form: RowsForm;
}

/** The media types of rows. */
export const ROWS_TYPES = ['application/json', 'application/x-ndjson', 'text/csv'] as const;

type RowsType = (typeof ROWS_TYPES)[number];

/** The media types of the answers of several queries. */
export const LIST_TYPES = ['application/json', 'application/x-ndjson'] as const;

/** The format of an answer depends on this request header. */
export const VARY_ACCEPT: Header = ['vary', 'accept'];

const json: RowsAnswerFormat = { ...headed(JSON_TYPE, VARY_ACCEPT), endsWithFaultLine: false };
const compact: RowsFormat = { ...json, form: 'compact' };
const pretty: RowsFormat = { ...compact, form: 'pretty' };
const lines: RowsFormat = {
  form: 'lines',
  ...headed(['content-type', 'application/x-ndjson'], VARY_ACCEPT),
  endsWithFaultLine: true,
};
const csv: RowsFormat = {
  form: 'csv',
  ...headed(['content-type', 'text/csv; charset=utf-8; header=present'], VARY_ACCEPT),
  endsWithFaultLine: false,
};

/** The document of an export is always JSON. */
export const documentFormat: RowsAnswerFormat = { ...headed(JSON_TYPE), endsWithFaultLine: false };

function headed(...headers: Header[]): RowsHeaders {
  return { headers, head: new PrebuiltHeaders(headers, ['x-request-id', REQUEST_ID_PREFIX]) };
}

/** The format that the header prefers; undefined if it accepts none. `indent` applies to JSON only. */
export function rowsFormatOf(
  accept: string,
  indent: boolean,
  types: readonly RowsType[] = ROWS_TYPES,
): RowsFormat | undefined {
  const type = bestType(accept, types);
  return type === 'application/json' && indent ? pretty : type && formats[type];
}

const formats = {
  'application/json': compact,
  'application/x-ndjson': lines,
  'text/csv': csv,
} satisfies Record<RowsType, RowsFormat>;

function bestType(accept: string, types: readonly RowsType[]): RowsType | undefined {
  if (asksForJsonFirst(accept)) return 'application/json';
  const preferences = readPreferences(accept);
  return bestOf(types, (type) => qualityOf(type, preferences));
}

/** The headers that nearly all clients send, recognized quickly. */
function asksForJsonFirst(accept: string): boolean {
  return (
    accept === '' ||
    accept === '*/*' ||
    accept === 'application/json' ||
    accept.startsWith('application/json,')
  );
}

/** The quality that the most specific range gives a type. */
function qualityOf(type: string, preferences: readonly Preference[]): number {
  const family = `${type.slice(0, type.indexOf('/'))}/*`;
  for (const range of [type, family, '*/*']) {
    const fitting = preferences.filter(({ name }) => name === range);
    if (fitting.length > 0) return Math.max(...fitting.map(({ quality }) => quality));
  }
  return 0;
}
