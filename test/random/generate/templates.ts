/**
 * What random expressions are made of: templates of each type. `{i}` stands for an expression of that
 * type, `{i^}` for one whose type is known by itself (no bare parameter, null or ISO text), `{i=}` for a
 * column, `{i#}` for a literal, `{i?}` for a parameter; `{I}`, `{S}` and `{Y}` for a list of the data; `⟨a¦b⟩` for one of the two.
 */
import { isKnown, type KnownFault } from '../known.js';

/** i integer, d decimal, f number, s string, b boolean, t dateTime, y date, c time. */
export type Letter = 'i' | 'd' | 'f' | 's' | 'b' | 't' | 'y' | 'c';

export type Template = readonly [weight: number, text: string];

/** Not chosen while the fault is known. */
function unless(fault: KnownFault, weight: number, text: string): Template {
  return [isKnown(fault) ? 0 : weight, text];
}

const comparison = '⟨==¦!=¦<¦<=¦>¦>=¦===¦!==¦<>⟩';

const integer: readonly Template[] = [
  [3, '({i^} ⟨+¦-¦*⟩ {i^})'],
  [1, '({i^} - {i^} - {i^})'],
  [1, '({i^} + {i^} * {i^})'],
  [1, '({i^} % {i#})'],
  [1, '({i^} % {i^} * 2 % 5)'],
  [1, '(-{i^})'],
  [1, '(-{i^} % 4)'],
  [1, '(~{i})'],
  [2, '({i} ⟨&¦^¦|⟩ {i})'],
  [1, '({i} & 6 | {i} ^ 5 & {i})'],
  [1, '({i} ⟨<<¦>>⟩ {i^})'],
  [1, '({i} ⟨<<¦>>⟩ ⟨0¦1¦3¦31¦32⟩)'],
  unless('wide-shift', 1, '({i} ⟨<<¦>>⟩ ⟨63¦64¦100¦(-1)⟩)'),
  [1, '(1 + {i^} << 1 + 1)'],
  [1, '({b} ? {i} : {i^})'],
  [1, '({b} ? {i^} : {b} ? null : {i})'],
  [1, '({i} ?? {i^})'],
  [1, '({i} ?? null ?? {i^})'],
  [1, '⟨nvl¦coalesce⟩({i}, {i^})'],
  [1, 'coalesce({i}, {i}, {i^})'],
  [1, 'nvl2({s^}, {i}, {i^})'],
  [2, '⟨floor¦ceil¦round¦trunc⟩({d})'],
  [1, '⟨floor¦ceil¦round¦trunc⟩({f})'],
  [1, 'round({i^}, (-1))'],
  [1, 'abs({i^})'],
  [1, 'sign({d})'],
  [1, 'remainder({i^}, {i#})'],
  [1, '⟨length¦len⟩({s})'],
  [2, 'indexOf({s}, {s})'],
  [1, 'strCount({s}, {s#})'],
  [1, '⟨year¦month¦day¦weekday⟩({t})'],
  [1, '⟨year¦month¦day¦weekday⟩({y})'],
  [1, '⟨hour¦minute¦second¦millisecond⟩({t})'],
  [1, '⟨hour¦minute¦second¦millisecond⟩({c^})'],
  [1, '⟨yearDiff¦dayDiff¦hourDiff¦secondDiff¦millisecondDiff⟩({t}, {t})'],
  [1, '⟨yearDiff¦dayDiff⟩({y}, {y})'],
  [0.5, 'dayDiff(today(), date(now()))'],
  [1, 'toInteger({s})'],
  [1, 'toInteger({d^})'],
  [1, 'toInteger({b^})'],
];

const decimal: readonly Template[] = [
  [3, '({d} ⟨+¦-¦*⟩ {d})'],
  [2, '({i^} * 1.5)'],
  [1, '({i^} ⟨+¦-⟩ {d^})'],
  [1, '({d} - {d} - {d})'],
  [1, '({d} / {d#} / 2)'],
  [1, '({d} + {d} * {d^})'],
  [2, '({d} / {d#})'],
  [1, '({i} / ⟨2¦3¦7¦(-4)⟩)'],
  unless('zero-division', 2, '({d} ⟨/¦%⟩ {d})'),
  unless('zero-division', 1, '({i} ⟨/¦%⟩ {i})'),
  [1, '({d} % {d#})'],
  [1, '(-{d})'],
  [1, 'abs({d})'],
  [1, '({d=} ** 2)'],
  [0.5, '({i#} ** 2 ** ⟨0¦1¦2⟩)'],
  unless('power-domain', 1, '({d} ⟨**¦//⟩ {i})'),
  [0.5, '(⟨9¦27¦16⟩ // ⟨1¦2¦3⟩)'],
  [1, 'power({d=}, ⟨0¦1¦2¦3⟩)'],
  [1, '⟨round¦trunc⟩({d}, ⟨0¦1¦2¦(-1)⟩)'],
  [1, 'remainder({d}, {d#})'],
  [1, '({b} ? {d} : {d^})'],
  [1, '({d} ?? {d^})'],
  [1, '⟨nvl¦coalesce⟩({d}, {d^})'],
  [1, 'nvl2({i^}, {d^}, {d})'],
  [1, '⟨toNumber¦toDecimal⟩({s})'],
  [1, '⟨toNumber¦toDecimal⟩({d^})'],
  [1, 'toNumber({b^})'],
];

const number: readonly Template[] = [
  [3, '({f^} ⟨+¦-¦*⟩ {f})'],
  [1, '({f^} ⟨+¦-¦*⟩ {d^})'],
  [1, '({f^} * {i^})'],
  [1, '({f^} / {f#})'],
  [1, '(-{f^})'],
  [1, 'abs({f^})'],
  [1, '({b} ? {f^} : {f^})'],
  [1, '({f^} ?? {f^})'],
  [1, 'nvl({f^}, {f^})'],
  [1, '⟨sqrt¦ln¦log10¦log⟩({d})'],
  unless('log-of-base', 1, 'log(⟨2¦10⟩, {d})'),
  [1, '⟨sin¦cos¦tan¦atan⟩({i})'],
  [1, '⟨asin¦acos⟩({d})'],
  [1, '⟨exp¦sinh¦cosh¦tanh⟩({i#})'],
  [1, 'atan2({d}, {d})'],
  [1, '⟨round¦trunc⟩({f^}, 1)'],
  [1, '⟨sqrt¦sin¦atan⟩({f^})'],
];

const string: readonly Template[] = [
  [2, '({s^} + {s})'],
  [1, '({s} + {s^} + {i^})'],
  [1, '("#" + {i^})'],
  [1, '({d^} + {s^})'],
  [1, '("" + ⟨{b^}¦{t^}¦{y^}¦{c^}⟩)'],
  [1, '({i^} + 1 + {s^})'],
  [2, '⟨concat¦concatenate⟩({s^}, {s^})'],
  [1, 'concat({i^}, "-", {d^}, {b^})'],
  [1, '⟨lower¦upper¦toUpper⟩({s})'],
  [1, '⟨capitalize¦title⟩({s})'],
  [1, '⟨trim¦ltrim¦rtrim¦reverse¦mask⟩({s})'],
  [2, '⟨substring¦substr⟩({s}, {i#}, {i#})'],
  [1, 'substr({s}, {i})'],
  [1, 'substring({s}, {i}, {i})'],
  [2, 'replace({s}, {s}, {s})'],
  [1, '⟨lpad¦rpad⟩({s}, ⟨0¦3¦9⟩)'],
  unless('null-padding', 1, '⟨lpad¦rpad⟩({s}, ⟨2¦5¦8⟩, {s})'),
  [1, '⟨lpad¦rpad⟩({s}, ⟨2¦5¦8⟩, {s#})'],
  [1, 'chr(⟨65¦233¦8364¦128512¦0¦55296¦(-5)¦1114112⟩)'],
  [1, '({b} ? {s} : {s^})'],
  [1, '({s} ?? {s^})'],
  [1, '⟨nvl¦coalesce⟩({s}, {s^})'],
  [1, 'nvl2({d^}, {s}, {s^})'],
  [1, 'toString(⟨{i^}¦{d^}¦{s^}¦{b^}¦{t^}¦{y^}¦{c^}⟩)'],
  [1, 'toJson(⟨{i^}¦{d^}¦{s^}¦{b^}¦{t^}¦{y^}¦{c^}⟩)'],
  [1, 'dateToString({t})'],
];

const boolean: readonly Template[] = [
  [3, `({i} ${comparison} {i^})`],
  [3, `({d} ${comparison} {d^})`],
  [1, `({d^} ${comparison} {i^})`],
  [1, `({i^} ${comparison} {d^})`],
  unless('mixed-numbers', 1, `({i=} ${comparison} ⟨2.25¦1e12¦(-0.5)¦3.0⟩)`),
  [1, `({f^} ${comparison} {f})`],
  [1, `({f^} ${comparison} {d^})`],
  [3, `({s} ${comparison} {s^})`],
  [2, `({t} ${comparison} {t^})`],
  [1, `({y} ${comparison} {y^})`],
  [1, `({c} ${comparison} {c^})`],
  [1, `({t^} ${comparison} {y^})`],
  [1, '({b} ⟨==¦!=⟩ {b^})'],
  [2, '(⟨{i^}¦{d^}¦{f^}¦{s^}¦{b^}¦{t^}¦{y^}¦{c^}⟩ ⟨==¦!=⟩ null)'],
  [3, '({b} && {b})'],
  [3, '({b} || {b})'],
  [1, '({b} || {b} && !{b})'],
  [1, '({b} && {b} || {b} && {b})'],
  [2, '(!{b})'],
  [1, '({i^} < {i^} == {b})'],
  [1, '({b} ? {b} : {b^})'],
  [1, '({b} ?? {b^})'],
  [1, 'nvl({b}, {b^})'],
  [2, 'between({i}, {i}, {i^})'],
  [1, 'between({d^}, {d}, {d})'],
  [1, 'between({s}, {s^}, {s})'],
  [1, 'between({t^}, {t}, {t})'],
  [1, 'between({y}, {y}, {y^})'],
  [2, 'in({i^}, ⟨{I}¦[1,2,3]¦[{i},{i},null]¦[]¦[{i#}]⟩)'],
  [1, '(!in({i^}, ⟨{I}¦[2,null]¦[{i^}]⟩))'],
  [1, 'in({d^}, [{d},{d#},{d^}])'],
  [2, 'in({s^}, ⟨{S}¦["a","é",""]¦[{s},{s^}]⟩)'],
  [1, '⟨{S}¦["a",{s}]⟩.includes({s^})'],
  [1, 'includes(⟨{I}¦[7,{i}]⟩, {i^})'],
  [1, 'in({t^}, [{t#},{t}])'],
  [1, 'in({y^}, ⟨{Y}¦[{y#},{y}]⟩)'],
  [3, '⟨contains¦startsWith¦startWith¦endsWith⟩({s}, {s})'],
  [2, 'includes({s^}, {s})'],
  [2, 'like({s}, ⟨"%a%"¦"_"¦"a\\\\_b"¦"%\\\\%%"¦"é%"¦"%"¦{s}⟩)'],
  [1, '⟨isNull¦isNotNull¦isEmpty¦isNotEmpty⟩({s^})'],
  [1, '⟨isNull¦isNotNull¦isEmpty¦isNotEmpty⟩(⟨{i^}¦{d^}¦{f^}¦{b^}¦{t^}¦{y^}¦{c^}⟩)'],
  [0.5, '({t^} ⟨<¦>⟩ now())'],
  [0.5, '({y^} <= today())'],
  [0.3, '(curTime() == time(now()))'],
];

const dateTime: readonly Template[] = [
  [2, '⟨addYear¦addMonth⟩({t}, {i#})'],
  [2, '⟨addDay¦addHour¦addMinute¦addSecond¦addMillisecond⟩({t}, {i#})'],
  [1, '⟨addDay¦addMonth¦addSecond⟩({t}, {i})'],
  [1, '⟨addDay¦addMonth¦addYear⟩({y}, {i#})'],
  [1, '⟨addTime¦subtractTime⟩({t}, {c})'],
  [1, 'dateTime({t})'],
  [1, 'dateTime({y^})'],
  [1, '⟨dayToDate¦hourToDate¦secondToDate¦millisecondToDate⟩({i})'],
  [1, '({b} ? ⟨{t^}¦{t?}⟩ : {t^})'],
  [1, '(⟨{t^}¦{t?}⟩ ?? {t^})'],
  [1, '⟨nvl¦coalesce⟩(⟨{t^}¦{t?}⟩, {t^})'],
];

const date: readonly Template[] = [
  [3, 'date({t})'],
  [1, '({b} ? ⟨{y^}¦{y?}⟩ : {y^})'],
  [1, '(⟨{y^}¦{y?}⟩ ?? {y^})'],
  [1, 'nvl(⟨{y^}¦{y?}⟩, {y^})'],
];

const time: readonly Template[] = [
  [3, 'time({t})'],
  [1, '({b} ? ⟨{c^}¦{c?}⟩ : {c^})'],
  [1, '(⟨{c^}¦{c?}⟩ ?? {c^})'],
  [1, 'nvl(⟨{c^}¦{c?}⟩, {c^})'],
];

export const templates: Readonly<Record<Letter, readonly Template[]>> = {
  i: integer,
  d: decimal,
  f: number,
  s: string,
  b: boolean,
  t: dateTime,
  y: date,
  c: time,
};
