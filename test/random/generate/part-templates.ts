/** The templates for expressions on parts of JSON: `{part}` stands for a path, and `{doc}` for its property. */
import type { Letter, Template } from './templates.js';

/** Paths to values of every kind, and to none. */
export const parts: readonly string[] = [
  '.a',
  '.n',
  '.on',
  '.o.b',
  '.list[0]',
  '.list[1]',
  '.list["0"]',
  '["a"]',
  '[0]',
  '.a[0]',
  '.list[0].b',
  '.missing',
  '.n.missing',
];

const comparison = '⟨==¦!=¦<¦<=¦>¦>=⟩';

/** Their types are determined by what is beside the part. */
export const partTemplates: Readonly<Partial<Record<Letter, readonly Template[]>>> = {
  b: [
    [3, `({part} ${comparison} ⟨"x"¦"7"¦"é"¦"true"¦""⟩)`],
    [2, '({part} ⟨==¦!=⟩ {s?})'],
    [3, `({part} ${comparison} ⟨7¦0¦(-2.5)¦1e3¦{i=}¦99.99⟩)`],
    [1, `(⟨7¦12345678901234567890.123456789⟩ ${comparison} {part})`],
    [2, '({part} ⟨==¦!=⟩ ⟨true¦false⟩)'],
    [2, '({part} ⟨==¦!=⟩ null)'],
    [1, '⟨isNull¦isNotNull⟩({part})'],
    [1, '(!{part})'],
    [1, '({part} ⟨&&¦||⟩ {b})'],
    [1, 'in({part}, ⟨["a","x","7"]¦[7,1,-2.5]⟩)'],
    [1, '({part} ? {b} : {b^})'],
    [1, 'between({part}, 0, 10)'],
    [1, '⟨contains¦startsWith¦endsWith⟩({part}, ⟨"a"¦"é"¦""⟩)'],
    [1, 'like({part}, ⟨"%o%"¦"_"¦"%"⟩)'],
    [2, '({doc} ⟨==¦!=⟩ null)'],
    [1, '⟨isNull¦isNotNull⟩({doc})'],
  ],
  d: [
    [2, '({part} ⟨+¦-¦*⟩ ⟨1¦2.5⟩)'],
    [1, '({part} / 2)'],
    [1, '(-{part})'],
    [1, 'abs({part})'],
    [2, '⟨toNumber¦toDecimal⟩({part})'],
    [1, '({part} ?? 0.5)'],
    [1, 'nvl({part}, 2.25)'],
  ],
  i: [
    [1, '⟨length¦len⟩({part})'],
    [1, 'toInteger({part})'],
    [1, '⟨floor¦ceil¦trunc⟩({part})'],
    [1, 'indexOf({part}, ⟨"a"¦"1"⟩)'],
  ],
  s: [
    [2, 'toString({part})'],
    [1, '⟨lower¦upper¦trim¦reverse⟩({part})'],
    [1, '({part} + ⟨"#"¦""⟩)'],
    [1, 'concat({part}, "-", {i^})'],
    [1, '({part} ?? "none")'],
    [1, 'substring({part}, 1, 2)'],
  ],
};
