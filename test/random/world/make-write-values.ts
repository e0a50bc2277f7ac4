/** Random expressions that Rowgate evaluates for each written value, and stores instead of it. */
import type { Random } from '../random.js';
import type { PropertyType } from './domain.js';
import type { Draft } from './draft.js';

const CHANGED = 0.3;

/**
 * Expressions by type; `{x}` stands for the property. Applied to null or to their own results, they change
 * nothing, so that rows can be imported again. A template has a second form, in which the evaluator reads it.
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
    ['ilike({x}, "A\\\\_%") ? "under" : {x}'],
  ],
  // Their results may be out of range.
  integer: [['abs({x})'], ['{x} < 0 ? -{x} : {x}'], ['{x} - {x} % 2'], ['{x} > 3 ? 3 : {x}']],
  decimal: [['abs({x})'], ['round({x}, 1)'], ['trunc({x})'], ['{x} < 0 ? 0.5 : {x}']],
  boolean: [['{x} && true'], ['!(!{x})'], ['{x} || false']],
};

/** Gives some properties that are no keys such an expression. */
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
    const fitting = isFree ? (expressions[type] ?? []) : [];
    if (fitting.length === 0 || !random.chance(CHANGED)) continue;
    const [text = '', form = text] = random.pick(fitting);
    const writeValue = {
      text: text.replaceAll('{x}', name),
      form: `p=>${form.replaceAll('{x}', `p.${name}`)}`,
    };
    draft.properties[index] = { ...property, writeValue };
  }
}
