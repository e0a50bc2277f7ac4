/** Random expressions that Rowgate evaluates for each written value, and stores instead of it. */
import type { Random } from '../random.js';
import type { PropertyType } from './domain.js';
import type { Draft } from './draft.js';
import { filled, isReadable } from './make-defaults.js';

const CHANGED = 0.3;
const FROM_OTHERS = 0.35;

/**
 * Expressions by type; `{x}` stands for the property. They leave null unchanged, because an absent value is not
 * replaced. A template has a second form for the evaluator, which does not know templates.
 */
const expressions: Readonly<Partial<Record<PropertyType, readonly (readonly string[])[]>>> = {
  string: [
    ['lower({x})'],
    ['upper({x})'],
    ['trim({x})'],
    ['ltrim({x})'],
    ['capitalize({x})'],
    ['reverse(reverse({x}))'],
    ['substring({x}, 1, 8)'],
    ['trim(substring(trim({x}), 1, 2))'],
    ['`${lower({x})}`', '"" + lower({x})'],
    // Its result may be too long.
    ['replace({x}, "x", "yz")'],
    ['length({x}) > 2 ? upper({x}) : {x}'],
    ['{x} == "a" ? "b" : {x}'],
    ['nvl(rtrim({x}), {x})'],
    ['substring({x}, 0, 8)'],
    ['replace({x}, "", "-")'],
    ['like({x}, "%\\\\%%") ? "share" : {x}'],
    ['ilike({x}, "A\\\\_%") ? "un-der" : {x}'],
  ],
  // Their results may be out of range.
  integer: [['abs({x})'], ['{x} < 0 ? -{x} : {x}'], ['{x} - {x} % 2'], ['{x} > 3 ? 3 : {x}']],
  decimal: [['abs({x})'], ['round({x}, 1)'], ['trunc({x})'], ['{x} < 0 ? 0.5 : {x}']],
  boolean: [['{x} && true'], ['!(!{x})'], ['{x} || false']],
};

/** As above; `{s}`, `{i}`, `{d}` and `{b}` stand for other properties. */
const fromOthers: typeof expressions = {
  string: [
    ['concat({x}, {s})'],
    ['{x} + "-" + {i}'],
    ['{i} > 2 ? upper({x}) : {x}'],
    ['{b} ? lower({x}) : {x}'],
    ['substring({x}, 1, {i})'],
    ['`${{x}}/${{s}}`', '"" + {x} + "/" + {s}'],
  ],
  integer: [
    ['{x} + {i}'],
    ['{i} > 2 ? {x} : -{x}'],
    ['{x} * length({s})'],
    ['{b} ? {x} : {x} + 1'],
  ],
  decimal: [['{x} * {i}'], ['{x} + {d}'], ['{i} > 1 ? {x} : 0 - {x}']],
  boolean: [['{b} ? {x} : !{x}'], ['{i} > 1 ? {x} : !{x}']],
};

/** Gives such an expression to some properties that are not part of a key. */
export function makeWriteValues(random: Random, draft: Draft): void {
  const keys = [
    ...draft.primaryKey,
    ...draft.uniqueKey,
    ...draft.relations.flatMap(({ from }) => from),
  ];
  for (const [index, property] of draft.properties.entries()) {
    const { name, type, autoIncrement, digits } = property;
    // Decimals with digits are rounded after the evaluation.
    const isFree = !keys.includes(name) && !autoIncrement && !digits;
    const templates = random.chance(FROM_OTHERS) ? fromOthers : expressions;
    const fitting = isFree ? (templates[type] ?? []) : [];
    if (fitting.length === 0 || !random.chance(CHANGED)) continue;
    const others = draft.properties.filter((each) => each !== property && isReadable(each));
    const found = filled(random, random.pick(fitting), others);
    if (!found) continue;
    const writeValue = {
      text: found.text.replaceAll('{x}', name),
      form: found.form.replaceAll('{x}', `p.${name}`),
    };
    draft.properties[index] = { ...property, writeValue };
  }
}
