/** Random defaults that Rowgate evaluates for each inserted row. */
import type { Random } from '../random.js';
import type { Property, PropertyType, RowExpression } from './domain.js';
import type { Draft } from './draft.js';

const COMPUTED = 0.3;

/**
 * Expressions by type; `{s}`, `{i}`, `{d}`, `{b}` and `{t}` stand for properties. A template has a second form,
 * in which the evaluator reads it.
 */
const expressions: Readonly<Partial<Record<PropertyType, readonly (readonly string[])[]>>> = {
  string: [
    ['`${{s}} #${{i}}`', '"" + {s} + " #" + {i}'],
    ['`${{i} * 2}: \\`${upper({s})}\\``', '"" + {i} * 2 + ": `" + upper({s}) + "`"'],
    ['`<${{b}}${{d}}>`', '"<" + {b} + "" + {d} + ">"'],
    ['lower({s})'],
    ['{s} + "-" + {i}'],
    ['concat({s}, "/", {d})'],
    ['{s} ?? "none"'],
    ['nvl({s}, toString({i}))'],
    ['substring({s}, 2, 3)'],
    ['replace(trim({s}), "a", "")'],
    ['{i} > 2 ? "many" : {b} ? "few" : {s}'],
    ['"$" + capitalize({s})'],
    ['substring({s}, {i}, 2)'],
    ['substring({s}, {i})'],
    ['replace({s}, substring({s}, {i}, 1), "+")'],
    ['toString({d}) + toString({b})'],
  ],
  integer: [
    ['{i} + 1'],
    ['length({s})'],
    ['nvl({i}, 0) * 2 - 3'],
    ['indexOf({s}, "a")'],
    ['-{i}'],
    ['{i} % 3'],
    ['~{i} & 6'],
    ['sign({d})'],
    ['floor({d})'],
    ['nvl2({s}, 1, {i})'],
  ],
  decimal: [
    ['{d} * 1.5'],
    ['{i} / 4'],
    ['round({d}, 1)'],
    ['{d} ?? 0.25'],
    ['abs({d} - {i})'],
    ['{d} % 2'],
  ],
  boolean: [
    ['{i} > 2'],
    ['isNull({s})'],
    ['!{b}'],
    ['{d} >= 1 || {b}'],
    ['startsWith({s}, "a")'],
    ['between({i}, null, 2)'],
    ['between({s}, "a", "b")'],
    ['like({s}, "a\\\\%%")'],
    ['ilike({s}, "%A%\\\\_%")'],
    ['in({i}, 1, 2, null)'],
    ['in({s}, "a", "b")'],
    ['{s} < "b" && {b}'],
    ['includes({s}, "") == {b}'],
    ['isEmpty({s})'],
    ['{t} <= "12:00"'],
    ['in({t}, ["01:00", "06:30:15.25"])'],
    ['between({t}, "00:00", "12:00:00")'],
  ],
};

const holes: Readonly<Record<string, PropertyType>> = {
  s: 'string',
  i: 'integer',
  d: 'decimal',
  b: 'boolean',
  t: 'time',
};

/** Gives some properties a default that reads others. It may read foreign keys and earlier such defaults. */
export function makeDefaults(random: Random, draft: Draft): void {
  const keys = [
    ...draft.primaryKey,
    ...draft.uniqueKey,
    ...draft.relations.flatMap(({ from }) => from),
  ];
  /** Their values must be known first, so they have no such default themselves. */
  const read = new Set<string>();
  for (const [index, property] of draft.properties.entries()) {
    const isFree = !keys.includes(property.name) && !read.has(property.name);
    const fitting = isFree ? (expressions[property.type] ?? []) : [];
    if (fitting.length === 0 || property.default !== undefined || !random.chance(COMPUTED))
      continue;
    const readable = draft.properties.filter(
      (each, at) => each !== property && (at < index || !each.computed) && isReadable(each),
    );
    const computed = filled(random, random.pick(fitting), readable);
    if (!computed) continue;
    draft.properties[index] = { ...property, computed };
    for (const { name } of readable) if (computed.form.includes(`p.${name}`)) read.add(name);
  }
}

/** Generated keys are not known, nor is whether those of 64 bits overflow, and decimals are not rounded yet. */
export function isReadable({ autoIncrement, digits, isLong }: Property): boolean {
  return !autoIncrement && !digits && !isLong;
}

/** The expression with properties in its holes; undefined if there is none of a type. */
export function filled(
  random: Random,
  [text = '', form = text]: readonly string[],
  readable: readonly Property[],
): RowExpression | undefined {
  const chosen = Object.entries(holes).flatMap(([hole, type]) => {
    const fitting = readable.filter((each) => each.type === type);
    return fitting.length > 0 ? [[hole, random.pick(fitting).name] as const] : [];
  });
  const by = (whole: string, before: string) =>
    chosen.reduce((at, [hole, name]) => at.replaceAll(`{${hole}}`, () => before + name), whole);
  const computed = { text: by(text, ''), form: `p=>${by(form, 'p.')}` };
  return /\{[sidbt]\}/.test(computed.form) ? undefined : computed;
}
