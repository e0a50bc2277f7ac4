/** Invalid queries are refused with a code and a place, and never cause an internal error. */
import { codeOf, describeReply } from '../drive/client.js';
import { makeData } from '../generate/data.js';
import { makeQuery } from '../generate/query.js';
import { isComparable } from '../generate/expression.js';
import { bodyOf } from '../judge/judge.js';
import type { Random } from '../random.js';
import { type Entity, itemTypeOf, type PropertyType } from '../world/domain.js';
import type { Step } from './round.js';

const EDITS = 8;

/** Random queries with a change: they are either answered or refused. */
export async function checkEdited({ random, world, report, server, seed }: Step): Promise<void> {
  const query = makeQuery(random, world.domain);
  const data = makeData(random, query.parameters);
  for (let number = 0; number < EDITS; number += 1) {
    const text = edited(random, query.text);
    const reply = await world.client.post('/execute', bodyOf({ text, data }));
    report.count('edited queries');
    const isFine = reply.status === 200 || (reply.status >= 400 && reply.status < 500);
    // A number that is too large may be found after the answer has started.
    if (isFine || reply.text === 'aborted') continue;
    report.fail({
      kind: `edited: ${describeReply(reply).replaceAll(/'[^']*'|\d{2,}/g, '…')}`,
      text: `${bodyOf({ text, data })}\n${describeReply(reply)}\non ${server.dialect}, seed ${seed}`,
    });
  }
}

/** The text with a token removed, doubled, replaced or moved. */
export function edited(random: Random, text: string): string {
  const tokens = text.match(/\w+|"[^"]*"|=>|[=!<>]=+|\s+|./gsu) ?? [];
  const at = random.below(tokens.length);
  const other = random.pick(tokens);
  const extra = random.pick([
    '(',
    ')',
    ',',
    '.',
    'null',
    '"x"',
    '-',
    '0',
    'p',
    '[',
    '}',
    '😀',
    '\\',
    '=>',
    'filter',
  ]);
  const change = random.pick([[], [tokens[at], tokens[at]], [other], [extra], [tokens[at], extra]]);
  return [...tokens.slice(0, at), ...change, ...tokens.slice(at + 1)].join('');
}

/** Queries without a meaning, with the codes of their refusals. */
export async function checkRefused({ random, world, report, server, seed }: Step): Promise<void> {
  const entity = random.pick(world.domain.entities);
  for (const [text, data, code] of refused(random, entity)) {
    const reply = await world.client.post('/execute', bodyOf({ text, data }));
    report.count('refused queries');
    if (codeOf(reply) === code && reply.status === (code === 'unknown-view' ? 404 : 400)) continue;
    report.fail({
      kind: `refused: ${code}`,
      text: `${bodyOf({ text, data })}\n${code} expected, ${describeReply(reply)} found\non ${server.dialect}, seed ${seed}`,
    });
  }
}

type Refused = readonly [
  text: string,
  data: { readonly [name: string]: string | boolean },
  code: string,
];

function refused(
  random: Random,
  { name, properties, relations, primaryKey }: Entity,
): readonly Refused[] {
  const of = (...types: readonly PropertyType[]) =>
    properties.find(({ type }) => types.includes(type))?.name;
  const [whole, text, flag, uuid, binary, many] = [
    of('integer'),
    of('string'),
    of('boolean'),
    of('uuid'),
    of('binary'),
    relations.find(({ isMany }) => isMany)?.name,
  ];
  const any = random.pick(properties.filter(({ type }) => isComparable(type))).name;
  const array = properties.find(({ type }) => itemTypeOf(type))?.name;
  const json = of('json');
  return [
    [`${name}.filter(p=>p.${any}x==1)`, {}, 'unknown-property'],
    [`${name}s`, {}, 'unknown-entity'],
    [`${name}.filter(p=>lenght(p.${any})==1)`, {}, 'unknown-function'],
    [`${name}.map(p=>p.${any}).map(p=>p.${any})`, {}, 'duplicate-clause'],
    [`${name}.filtr(p=>true)`, {}, 'unknown-clause'],
    [`${name}.filter(p=>p.${any}==x).page(0, 3)`, { x: '' }, 'wrong-arguments'],
    [`${name}.filter(p=>p.${any} == )`, {}, 'query-syntax'],
    [`${name}.include(p=>p.${any})`, {}, 'unknown-relation'],
    [`${name}.filter(p=>in(x, [1, 2]))`, {}, 'parameter-missing'],
    ...(primaryKey.length > 0 ? [[`${name}.delete()`, {}, 'parameter-missing'] as const] : []),
    ...(whole === undefined
      ? []
      : ([
          [`${name}.filter(p=>p.${whole}=="x")`, {}, 'type-mismatch'],
          [`${name}.filter(p=>p.${whole})`, {}, 'type-mismatch'],
          [`${name}.filter(p=>p.${whole}==x)`, { x: 'y' }, 'parameter-type'],
        ] as const)),
    ...(text === undefined
      ? []
      : ([[`${name}.filter(p=>p.${text}-1==0)`, {}, 'type-mismatch']] as const)),
    ...(flag === undefined
      ? []
      : ([[`${name}.filter(p=>p.${flag} && 1)`, {}, 'type-mismatch']] as const)),
    ...(uuid === undefined
      ? []
      : ([
          [`${name}.filter(p=>p.${uuid}=="x")`, {}, 'type-mismatch'],
          [`${name}.filter(p=>p.${uuid}==x)`, { x: 'y' }, 'parameter-type'],
          [`${name}.map(p=>upper(p.${uuid}))`, {}, 'type-mismatch'],
          [`${name}.map(p=>min(p.${uuid}))`, {}, 'type-mismatch'],
        ] as const)),
    ...(binary === undefined
      ? []
      : ([
          [`${name}.filter(p=>p.${binary}==x)`, { x: 'é' }, 'parameter-type'],
          [`${name}.sort(p=>p.${binary})`, {}, 'type-mismatch'],
          [`${name}.map(p=>max(p.${binary}))`, {}, 'type-mismatch'],
        ] as const)),
    ...(json === undefined
      ? []
      : ([
          [`${name}.filter(p=>p.${json}==x)`, { x: 'y' }, 'type-mismatch'],
          [`${name}.sort(p=>p.${json})`, {}, 'type-mismatch'],
          [`${name}.map(p=>({k: p.${json}.a, n: count()}))`, {}, 'type-mismatch'],
        ] as const)),
    ...(array === undefined
      ? []
      : ([
          [`${name}.filter(p=>p.${array}==p.${array})`, {}, 'type-mismatch'],
          [`${name}.sort(p=>p.${array})`, {}, 'type-mismatch'],
          [`${name}.distinct(p=>p.${array})`, {}, 'type-mismatch'],
          [`${name}.map(p=>({k: p.${array}, n: count()}))`, {}, 'type-mismatch'],
          [`${name}.map(p=>toString(p.${array}))`, {}, 'type-mismatch'],
          [`${name}.filter(p=>isEmpty(p.${array}))`, {}, 'type-mismatch'],
        ] as const)),
    ...(many === undefined
      ? []
      : ([[`${name}.filter(p=>p.${many}.x==1)`, {}, 'relation-to-many']] as const)),
  ];
}
