/** Reads the options in `infrastructure.service` of a schema file, where lambdaorm-svc has them. */
import { readFile } from 'node:fs/promises';
import { EngineError, type Environment, substituteText } from '../engine/index.js';
import type { FileOption } from '../gateway/config.js';
import { isObject } from '../gateway/json-value.js';
import type { OptionName } from '../gateway/options.js';
import { openSchemaFile } from './schema-file.js';

export interface ServiceSection {
  readonly options: ReadonlyMap<string, FileOption>;
  /** Its members without effect. */
  readonly ignored: readonly string[];
}

type Members = ReadonlyMap<string, FileOption>;

/** The options of lambdaorm-svc that are set if only the other one of the two is. */
const RATE_DEFAULTS = { rateLimitMax: '30', rateLimitWindowMs: '30000' };
const READ = ['port', 'requestBodySize', ...Object.keys(RATE_DEFAULTS)];

/**
 * The section of the file at this path; empty if there is none, and if the file cannot be read, which is reported when
 * the schema is loaded. Throws 'schema-invalid' for a rate that is not a number.
 */
export async function readServiceSection(
  path: string,
  environment: Environment,
): Promise<ServiceSection> {
  const members = new Map<string, FileOption>();
  const ignored: string[] = [];
  for (const [name, value, from] of await membersOf(path)) {
    if (!READ.includes(name)) ignored.push(name);
    // As for lambdaorm-svc, a variable that is not set leaves the default.
    const text = substituteText(String(value ?? ''), environment)?.trim();
    if (text) members.set(name, { text, from });
  }
  return { options: new Map(optionsIn(members)), ignored };
}

async function membersOf(path: string): Promise<readonly (readonly [string, unknown, string])[]> {
  try {
    const text = await readFile(path, 'utf8');
    // Most files have no such section, and parsing a large one twice would delay the start.
    if (!text.includes('service')) return [];
    const { document, positionOf } = await openSchemaFile(path);
    const infrastructure = isObject(document) ? document['infrastructure'] : undefined;
    const service = isObject(infrastructure) ? infrastructure['service'] : undefined;
    return Object.entries(isObject(service) ? service : {}).map(([name, value]) => {
      const place = `infrastructure.service.${name}`;
      const { ln, col } = positionOf(place);
      return [name, value, `${path}:${ln}:${col}: ${place}`];
    });
  } catch {
    return [];
  }
}

function* optionsIn(members: Members): Generator<readonly [OptionName, FileOption]> {
  const port = members.get('port');
  if (port) yield ['port', port];
  const size = members.get('requestBodySize');
  if (size) yield ['bodyBytesMax', { ...size, text: bytesText(size.text) }];
  yield* rateIn(members);
}

/** A size as `--body-max` takes it: lambdaorm-svc's `1.5mb` has 1.5 × 1024 × 1024 bytes. */
function bytesText(size: string): string {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?)\s*([kmg]?)b?$/i.exec(size) ?? [];
  if (number === undefined) return size;
  return String(
    Math.floor(Number(number) * 1024 ** ['', 'k', 'm', 'g'].indexOf(unit.toLowerCase())),
  );
}

/** N requests in each window: at most N at once, and on average as many in each second, rounded up. */
function* rateIn(members: Members): Generator<readonly [OptionName, FileOption]> {
  const given = members.get('rateLimitMax') ?? members.get('rateLimitWindowMs');
  if (!given) return;
  const { from } = given;
  const max = numberIn(members, 'rateLimitMax');
  const perSecond = Math.ceil((max * 1000) / numberIn(members, 'rateLimitWindowMs'));
  yield ['rateLimit', { from, text: String(perSecond) }];
  if (max > 0) yield ['rateBurst', { from, text: String(max) }];
}

function numberIn(members: Members, name: keyof typeof RATE_DEFAULTS): number {
  const { text, from } = members.get(name) ?? { text: RATE_DEFAULTS[name], from: name };
  const isPositive = name === 'rateLimitWindowMs';
  if (/^\d{1,15}$/.test(text) && !(isPositive && Number(text) === 0)) return Number(text);
  const expected = isPositive ? 'a whole number from 1' : 'a whole number';
  throw new EngineError('schema-invalid', `${from}: expected ${expected}, got "${text}"`);
}
