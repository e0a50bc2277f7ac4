/** Random keys and tokens, most of them almost valid, are refused. */
import { createHmac } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { authorityFor } from '../../src/gateway/access/authority.js';
import { digestOf, makeKey } from '../../src/gateway/access/keys-file.js';
import { readConfiguration } from '../../src/gateway/config.js';
import { Refusal } from '../../src/gateway/errors.js';
import { makeTemporaryDirectory } from '../support/embedded.js';
import { createRandom } from '../support/random.js';

const ROUNDS = 100_000;
const SECRET = 'a secret of more than thirty-two bytes, for tests';
const folder = makeTemporaryDirectory();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const random = createRandom(20_261_122);
const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)] as Item;

const key = makeKey();
const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
/** Always the same: the last character of some signatures has a second, equally valid spelling. */
const exp = 4_102_444_800;

function signed(header: unknown, claims: unknown): string {
  const text = `${part(header)}.${part(claims)}`;
  return `${text}.${createHmac('sha256', SECRET).update(text).digest('base64url')}`;
}

const token = signed({ alg: 'HS256' }, { sub: 'ada', exp, rowgate: {} });
const characters = 'aA0-_.= \u0000\u00e9{}"';

/** A text with a change: a character replaced, removed, added or doubled, or the parts reversed. */
function changed(text: string): string {
  const at = random(text.length);
  const [start, end] = [text.slice(0, at), text.slice(at)];
  return pick([
    start + characters[random(characters.length)] + end.slice(1),
    start + characters[random(characters.length)] + end,
    start + end.slice(1 + random(4)),
    start,
    end,
    start + start + end,
    end + start,
    text.toUpperCase(),
    text.split('.').toReversed().join('.'),
    `${text}${characters[random(characters.length)]}x`,
  ]);
}

/** A token with a wrong header or wrong claims, whose signature may be valid. */
function wrongToken(): string {
  const header = { alg: pick(['none', 'None', 'RS256', 'HS1', '', null, 0, {}, ['HS256']]) };
  const claims = { sub: 'ada', exp, rowgate: {} };
  return pick([
    () => signed(header, claims),
    () => signed({ alg: 'HS256', crit: ['x'], x: 1 }, claims),
    () => signed({ alg: 'HS256' }, pick<unknown>([null, [], 0, 'x', {}, { ...claims, exp: -1 }])),
    () => signed({ alg: 'HS256' }, { ...claims, exp: pick<unknown>(['9999999999', null, {}, []]) }),
    () => `${part(header)}.${part(claims)}.`,
    () => `${part({ alg: 'none' })}.${part(claims)}.${token.split('.')[2]}`,
  ])();
}

it(`${ROUNDS} wrong keys and tokens are refused`, async () => {
  const keysFile = join(folder, 'keys.json');
  const secretFile = join(folder, 'secret');
  writeFileSync(keysFile, JSON.stringify({ keys: [{ name: 'one', hash: digestOf(key) }] }));
  writeFileSync(secretFile, SECRET);
  const argv = ['--keys-file', keysFile, '--jwt-key-file', secretFile];
  const configuration = readConfiguration({ argv, environment: {}, host: { cores: 1 } });
  const authority = await authorityFor(configuration, () => undefined);
  const right = [`Bearer ${key}`, `Bearer ${token}`];
  const identify = async (header: string) => authority?.identify(header);
  for (const header of right) expect(await identify(header)).toBeDefined();
  const tried = new Map<unknown, number>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const header = pick([
      () => changed(pick(right)),
      () => `Bearer ${changed(pick([key, token]))}`,
      () => `Bearer ${wrongToken()}`,
    ])();
    // Spaces around a key, and the case of "Bearer", do not matter.
    if (right.some((each) => each.slice(7) === header.slice(7).trim())) continue;
    const outcome = await identify(header).catch((error: unknown) => error);
    const code = outcome instanceof Refusal ? outcome.problem.code : outcome;
    tried.set(code, (tried.get(code) ?? 0) + 1);
  }
  authority?.close();
  expect([...tried.keys()]).toEqual(['unauthenticated']);
  expect(tried.get('unauthenticated')).toBeGreaterThan(ROUNDS * 0.95);
});

it('as much is looked up for a wrong key, however much of it is right', async () => {
  const keysFile = join(folder, 'counted.json');
  const others = Array.from({ length: 20 }, (_, index) => ({
    name: `other-${index}`,
    hash: digestOf(makeKey()),
  }));
  const entry = { name: 'one', hash: digestOf(key) };
  writeFileSync(keysFile, JSON.stringify({ keys: [...others, entry] }));
  const argv = ['--keys-file', keysFile];
  const configuration = readConfiguration({ argv, environment: {}, host: { cores: 1 } });
  const authority = await authorityFor(configuration, () => undefined);
  const lookedUp: unknown[][] = [];
  const lookUp = vi.spyOn(Map.prototype, 'get');
  for (let right = 0; right < key.length; right += 1) {
    const wrong = `${key.slice(0, right)}${key[right] === 'x' ? 'y' : 'x'}${key.slice(right + 1)}`;
    lookUp.mockClear();
    expect(() => authority?.identify(`Bearer ${wrong}`)).toThrow(Refusal);
    // Only the header, by the seeded hash of V8, and the digest, which tells nothing of the key.
    lookedUp.push(lookUp.mock.calls.map(([looked]) => looked === digestOf(wrong)));
    for (const [looked] of lookUp.mock.calls) expect(looked).not.toBe(wrong);
  }
  lookUp.mockRestore();
  authority?.close();
  expect(new Set(lookedUp.map((each) => JSON.stringify(each))).size).toBe(1);
  expect(lookedUp[0]?.filter((isDigest) => isDigest)).toHaveLength(1);
});
