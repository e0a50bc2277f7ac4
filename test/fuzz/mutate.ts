/** Random changes of texts and of trees of JSON. */
import type { Random } from '../random/random.js';

/** How many changes an input has; with many, most are refused for the same few reasons. */
const EDITS = [1, 1, 1, 2, 4];
const LENGTH_MAX = 12;

/** The text with a few parts replaced, removed, doubled, moved or inserted. */
export function changeText(random: Random, text: string, pieces: readonly string[]): string {
  let changed = text;
  for (let edits = random.pick(EDITS); edits > 0; edits -= 1) {
    const at = random.below(changed.length + 1);
    const end = at + random.below(LENGTH_MAX);
    const [before, part] = [changed.slice(0, at), changed.slice(at, end)];
    const after = changed.slice(end);
    const other = random.below(changed.length + 1);
    changed = random.pick([
      () => before + random.pick(pieces) + after,
      () => before + random.pick(pieces) + part + after,
      () => before + after,
      () => before + part + part + after,
      () => before + changed.slice(other, other + LENGTH_MAX) + part + after,
      () =>
        before + String.fromCharCode(random.below(random.pick([128, 256]))) + part.slice(1) + after,
      () => (random.chance(0.2) ? before : changed),
    ])();
  }
  return changed;
}

/** Values that programs seldom expect. */
export const oddValues: readonly unknown[] = [
  ...[null, true, false, '', [], {}, [[]], [null], [{}], { '': 0 }, -0, { toString: 1 }],
  ...'0 1 -1 0.1 1e-7 1e21 1e308 -1e308 5e-324 2147483648 -2147483649 9007199254740992'
    .split(' ')
    .flatMap((digits) => [Number(digits), digits]),
  ...'NaN Infinity null true id default $1 ? ;-- ${x} % é e\u0301 😀 \0 \ud800 \udfff\ud800'.split(
    ' ',
  ),
  ...'\u202e \ufeff \u2028 \' " ` \\ ::1 P1Y <a/> = AA== 24:00:00 23:59:60 0000-00-00'.split(' '),
  ...'2024-02-30 2024-02-29T24:00:00Z -000001-01-01 +275760-09-13T00:00:00.001Z'.split(' '),
  ...['x'.repeat(300), '9'.repeat(400), 'x'.repeat(70_000), nested(20), nested(110), nested(300)],
  ...[{ $ref: '0.id' }, { $ref: null }, JSON.parse('{"__proto__": {"polluted": true}}')],
  ...[Array(300).fill(1), Object.fromEntries(Array.from({ length: 300 }, (_, at) => [at, at]))],
];

const ODD_TEXTS = [...'()[]{}.,=>"\'\\ 0p$\0', '=>', 'p.id', '&&'];
const ODD_NAMES = ['', ...'__proto__ constructor toString hasOwnProperty length \0 😀'.split(' ')];

/** Lists in lists. */
function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

type Holder = Record<string | number, unknown>;

/** The tree with a few nodes replaced, removed, doubled, renamed or wrapped. The original stays. */
export function changeTree(random: Random, tree: unknown, odd = oddValues): unknown {
  const holder: Holder = { root: structuredClone(tree) };
  for (let edits = random.pick(EDITS); edits > 0; edits -= 1) {
    const places = placesIn(holder);
    const [parent, key] = random.pick(places);
    const [otherParent, otherKey] = random.pick(places);
    const value = parent[key];
    random.pick([
      () => set(parent, key, structuredClone(random.pick(odd))),
      () => set(parent, key, structuredClone(otherParent[otherKey])),
      () => typeof value === 'string' && set(parent, key, changeText(random, value, ODD_TEXTS)),
      () =>
        set(
          parent,
          key,
          random.pick<unknown>([[value], { value }, [value, value], JSON.stringify(value)]),
        ),
      () => {
        if (Array.isArray(parent)) parent.splice(Number(key), 1);
        else if (parent !== holder) delete parent[key];
      },
      () => {
        if (Array.isArray(parent)) parent.splice(Number(key), 0, structuredClone(value));
        else if (parent !== holder) {
          delete parent[key];
          set(parent, random.pick([...ODD_NAMES, String(otherKey)]), value);
        }
      },
    ])();
  }
  return holder['root'];
}

/** Sets a member, also one named `__proto__`. */
function set(parent: Holder, key: string | number, value: unknown): void {
  Object.defineProperty(parent, key, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

/** Where the nodes of the tree are. */
function placesIn(root: Holder): readonly (readonly [Holder, string | number])[] {
  const places: (readonly [Holder, string | number])[] = [];
  const open = [root];
  for (let holder = open.pop(); holder; holder = open.pop()) {
    for (const key of Object.keys(holder)) {
      places.push([holder, key]);
      const member = holder[key];
      if (typeof member === 'object' && member !== null) open.push(member as Holder);
    }
  }
  return places;
}

/** The JSON of lists in lists. */
export function nestedLists(depth: number): string {
  return '['.repeat(depth) + ']'.repeat(depth);
}
