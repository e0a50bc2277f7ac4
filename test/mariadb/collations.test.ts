/**
 * Strings are compared by the collation of their column everywhere: all functions agree on what is
 * equal. Two strings without a column are compared by code point.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type MariadbFixture, startMariadbFixture } from '../language/mariadb-fixture.js';
import { describeMariadb } from '../support/mariadb.js';

/** For the product 'Bio Crème Brûlée', with collations that ignore case and accents. */
const found: readonly (readonly [expression: string, json: string])[] = [
  ['p.name=="BIO CREME BRULEE"', 'true'],
  ['p.name==whole', 'true'],
  ['in(p.name, ["x", "bio creme brulee"])', 'true'],
  ['between(p.name, "bio creme brulee", "BIO CREME BRULEE")', 'true'],
  ['like(p.name, "%creme%")', 'true'],
  ['ilike(p.name, "%CREME%")', 'true'],
  ['startsWith(p.name, "bio CREME")', 'true'],
  ['startWith(p.name, "bio CREME")', 'true'],
  ['startsWith(p.name, x)', 'false'],
  ['endsWith(p.name, "BRULEE")', 'true'],
  ['contains(p.name, "creme")', 'true'],
  ['contains(p.name, x)', 'true'],
  ['includes(p.name, "BRULEE")', 'true'],
  ['contains("a bio creme brulee b", p.name)', 'true'],
  ['indexOf(p.name, "creme")', '4'],
  ['indexOf(p.name, x)', '4'],
  ['indexOf(p.name, "Crème")', '4'],
  ['indexOf(p.name, "cake")', '-1'],
  ['indexOf(p.name, "")', '0'],
  ['indexOf(p.name, none)', 'null'],
  ['replace(p.name, "e", "_")', '"Bio Cr_m_ Brûl__"'],
  ['replace(p.name, "E", y)', '"Bio Cr_m_ Brûl__"'],
  ['replace(p.name, x, "<>")', '"Bio <> Brûlée"'],
  ['replace(p.name, "Brûlée", "")', '"Bio Crème "'],
  ['replace(p.name, "cake", "_")', '"Bio Crème Brûlée"'],
  ['replace(p.name, "", "_")', '"Bio Crème Brûlée"'],
  ['replace(p.name, none, "_")', 'null'],
  ['replace(p.name, "e", none)', 'null'],
  ['replace(replace(p.name, "e", "oo"), "OO", "u")', '"Bio Crumu Brûluu"'],
  ['strCount(p.name, "e")', '4'],
  ['strCount(p.name, "BR")', '1'],
  ['strCount(p.name, x)', '1'],
  ['strCount(p.name, "z")', '0'],
  ['strCount(p.name, "")', 'null'],
  ['strCount(p.name, none)', 'null'],
  ['indexOf(p.name+"%_!", "%_!")', '16'],
  ['replace("!"+p.name, "!", "%")', '"%Bio Crème Brûlée"'],
  ['indexOf(lpad(trim(trim(trim(p.name))), 20, "-"), "creme")', '8'],
  ['capitalize(capitalize(capitalize(p.name)))=="bio creme brulee"', 'true'],
  ['title(title(title(title(p.name))))=="bio creme brulee"', 'true'],
  ['p.orderDetails.max(d=>chr(66)+"io creme brulee")==p.name', 'true'],
  ['p.name==p.orderDetails.min(d=>d.quantity>0 ? "BIO creme brulee" : chr(66))', 'true'],
];

/** Strings that come from no column: compared with a column, they take its collation. */
const made: readonly string[] = [
  '"a"',
  'x',
  'chr(66)',
  'p.id>0 ? "a" : chr(66)',
  'nvl(none, "a")',
  'toString(p.price)',
  'toString(p.id)',
  'toString(p.discontinued)',
  'toString(p.price*1.5)',
  'toString(2 ** 0.5)',
  'toString(now())',
  'toString(time("10:20:30"))',
  'dateToString(now())',
  'toJson("a")',
  'toJson(p.price)',
  'title("a b")',
  'capitalize("ab")',
  'mask("abcdef")',
  'reverse("ab")',
  'upper("ab")',
  'trim(" a ")',
  'lpad("a", 3, "-")',
  'replace("abc", "b", "x")',
  'substring("abc", 1, 1)',
  '"a" + p.price + true',
  'concat("a", 1)',
  'p.orderDetails.max(d=>"a")',
  'p.orderDetails.min(d=>chr(66))',
  'p.orderDetails.max(d=>"a" + d.quantity)',
  'p.orderDetails.sort(d=>d.quantity).first(d=>chr(66))',
];

/** Without a column, regardless of the collations of the database and the session. */
const exact: readonly string[] = [
  '"a"=="A"',
  '"e"=="é"',
  '"a"=="a "',
  '"a"==b',
  'b==c',
  'in("a", ["A", "a "])',
  'in("a", list)',
  'between("b", "A", "C")',
  '"a"<"B"',
  'contains("abc", "B")',
  'includes("é", "e")',
  'like("abc", "A%")',
  'startsWith("abc", b)',
  'endsWith("abc", "C")',
  'indexOf("abc", "B")!=-1',
  'replace("abc", "B", "x")!="abc"',
  'strCount("aAa", "a")!=2',
  'chr(97)=="A"',
  'toJson("a")=="\\"A\\""',
  'title("ab")=="AB"',
  'lower("AB")=="Ab"',
  '(p.id>0 ? "a" : "b")=="A"',
  '"a"+p.id=="A"+p.id',
];

const data = {
  whole: 'BIO creme brulee',
  x: 'CREME',
  y: '_',
  none: null,
  b: 'A',
  c: 'a',
  list: ['A', 'a '],
};

describe.each(['utf8mb4_general_ci', 'utf8mb4_unicode_ci', 'utf8mb4_unicode_520_nopad_ci'])(
  'texts by %s',
  (collation) => {
    describeMariadb('a string', () => {
      let mariadb: MariadbFixture;

      beforeAll(async () => {
        mariadb = await startMariadbFixture(collation);
      });

      afterAll(() => mariadb.stop());

      test.each(found)('with a column: %s is %s', async (expression, json) => {
        const query = `Products.filter(p=>startsWith(p.name, "Bio Cr")).map(p=>({r: ${expression}}))`;
        expect(await mariadb.answer(query, data)).toBe(`[{"r":${json}}]`);
      });

      test.each(exact)('without a column: %s is false', async (expression) => {
        const query = `Products.filter(p=>p.id==1).map(p=>({r: ${expression}}))`;
        expect(await mariadb.answer(query, data)).toBe('[{"r":false}]');
      });

      test.each(made)('%s beside a column', async (text) => {
        const keys = [
          `(${text})==p.name`,
          `p.name<(${text})`,
          `in(p.name, [(${text})])`,
          `contains(p.name, (${text}))`,
          `like((${text}), p.name)`,
          `replace(p.name, (${text}), "-")`,
          `lpad((${text}), 9, p.name)`,
          `nvl((${text}), p.name)`,
          `p.name + (${text})`,
          `(p.id>0 ? (${text}) : p.name)==p.name`,
        ];
        const map = keys.map((key, index) => `k${index}: ${key}`).join(', ');
        const query = `Products.filter(p=>p.id==1).map(p=>({${map}})).sort(p=>[p.k0, p.k7, p.k8])`;
        const [row]: readonly unknown[] = JSON.parse(await mariadb.answer(query, data));
        expect(Object.keys(row ?? {})).toHaveLength(keys.length);
      });

      test('strings without a column are grouped and made distinct by their characters', async () => {
        const key = 'p.id%2==0 ? "a" : "A"';
        const rows = [{ k: 'A' }, { k: 'a' }];
        expect(
          JSON.parse(await mariadb.answer(`Products.distinct(p=>({k: ${key}})).sort(p=>p.k)`)),
        ).toEqual(rows);
        const groups = await mariadb.answer(
          `Products.map(p=>({k: ${key}, n: count(1)})).sort(p=>p.k)`,
        );
        expect(JSON.parse(groups)).toEqual(rows.map((row) => ({ ...row, n: 40 })));
      });
    });
  },
);
