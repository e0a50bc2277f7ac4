/** Cases of groups whose keys are computed, of functions of aggregates, and of distinct rows with includes. */
import type { FixedCase } from './cases.js';

export const groupCases: readonly FixedCase[] = [
  {
    query: 'A.map(p=>({k: p.b && p.i>0, n: count()})).having(p=>p.k && p.n>0)',
    answer: '[{"k":true,"n":1}]',
  },
  {
    query:
      'A.map(p=>({k: p.b || p.i<0, n: count(), both: (p.b || p.i<0) && count()>1})).having(p=>p.k || p.n>2)',
    answer: '[{"k":true,"n":2,"both":true}]',
  },
  {
    query: 'A.map(p=>({k: lower(p.s), n: count()})).having(p=>mask(reverse(p.k)) == "b%a***b%a")',
    answer: '[{"k":"a%b","n":1}]',
  },
  {
    query:
      'A.map(p=>({k: lower(p.s)+"x", n: count()})).sort(p=>mask(reverse(reverse(p.k)))).take(1)',
    answer: '[{"k":"a%bx","n":1}]',
  },
  {
    query:
      'A.map(p=>({k: addMonth(addMonth("2024-01-31", p.id), 48), n: count()})).having(p=>dateToString(p.k).startsWith("2028-03"))',
    answer: '[{"k":"2028-03-31T00:00:00.000Z","n":1}]',
  },
  {
    query: 'A.map(p=>({n: count()})).having(p=>title(concat(min(concat(p.s, "c")), "d")) == t)',
    data: '{"t": "Abcd"}',
    answer: '[{"n":3}]',
  },
  {
    query: 'A.map(p=>({k: lower(p.s), n: count()})).having(p=>toJson(p.k) == t)',
    data: '{"t": "\\"a%b\\""}',
    answer: '[{"k":"a%b","n":1}]',
  },
  {
    query: 'A.map(p=>({s: upper(p.s), x: p.parent.s, n: count()})).having(p=>p.s == "AB")',
    answer: '[{"s":"AB","x":null,"n":1}]',
  },
  {
    query:
      'A.map(p=>({s: upper(p.s), x: p.parent.s, n: count()})).having(p=>p.s > "A").sort(p=>p.s + "x")',
    answer: '[{"s":"A%B","x":"Ab","n":1},{"s":"AB","x":null,"n":1}]',
  },
  {
    query: 'A.map(p=>({g3: lower(p.s), x: title(max(p.s)), n: count()})).sort(p=>p.g3)',
    answer: '[{"g3":"a%b","x":"A%b","n":1},{"g3":"ab","x":"Ab","n":1},{"g3":null,"x":null,"n":1}]',
  },
  {
    query: 'A.map(p=>({v1: lower(p.s), x: max(title(p.s ?? "z"))})).sort(p=>p.v1)',
    answer: '[{"v1":"a%b","x":"A%b"},{"v1":"ab","x":"Ab"},{"v1":null,"x":"Z"}]',
  },
  {
    query:
      'A.map(p=>({k: upper(p.s), a: max(upper(p.s)), n: count()})).having(p=>p.a > "A").sort(p=>p.k)',
    answer: '[{"k":"A%B","a":"A%B","n":1},{"k":"AB","a":"AB","n":1}]',
  },
  { query: 'A.sort(p=>[0 - 3, p.id]).map(p=>p.id)', answer: '[{"id":1},{"id":2},{"id":3}]' },
  {
    query:
      'A.map(p=>({x: ("#" + count()).replace("#", "a"), n: strCount(min("b b"), " "), i: indexOf("#" + count(), "3")}))',
    answer: '[{"x":"a3","n":1,"i":1}]',
  },
  {
    query:
      'A.pair.map(p=>({k: p.kind, t: title("b" + count()), i: indexOf("", max(p.kind))})).sort(p=>[p.t.desc(), p.k])',
    answer: '[{"k":"x","t":"B2","i":-1},{"k":"y","t":"B1","i":-1}]',
  },
  {
    query:
      'A.sort(p=>p.id).map(p=>p.id).include(p=>p.pairs.map(q=>({k: q.kind, t: title("b" + count())})).sort(q=>q.k).page(1, 1))',
    answer:
      '[{"id":1,"pairs":[{"k":"x","t":"B1"}]},{"id":2,"pairs":[{"k":"x","t":"B1"}]},{"id":3,"pairs":[]}]',
  },
  {
    query:
      'Kinds.filter(p=>p.id==2).map(p=>({b: p.bytes, n: replace("#" + count(), "1", "one")})).having(p=>title("a" + count()) == "A1")',
    answer: '[{"b":"YWI=","n":"#one"}]',
  },
  {
    query: 'A.map(p=>({d: dateToString(millisecondToDate(count()))}))',
    answer: '[{"d":"1970-01-01T00:00:00.003Z"}]',
  },
  {
    query:
      'A.map(p=>({k: p.kids.filter(q=>!p.b).count(), e: exists(p.kids, q=>!(p.b && q.id>2)), n: count()})).sort(p=>p.n)',
    answer: '[{"k":0,"e":true,"n":1},{"k":0,"e":false,"n":2}]',
  },
  {
    query: 'A.distinct(p=>({k: p.kids.filter(q=>!p.b).count()})).page(2, 1)',
    answer: '[]',
  },
  {
    query:
      'A.filter(p=>p.id==1).map(p=>({q: 1/avg(p.f), r: sum(p.f)%0.375, s: 3/(sum(p.f)+0.5), k: p.kids.sum(q=>p.f)%0.375}))',
    answer: '[{"q":2,"r":0.125,"s":3,"k":0.25}]',
  },
  {
    query:
      'A.having(p=>title(p.k)=="Ab").map(p=>({k: lower(p.s), n: count()})).sort(p=>title(p.k))',
    answer: '[{"k":"ab","n":1}]',
  },
  {
    query:
      'Marks.filter(p=>p.mood != x).map(p=>({x: x, s: "sad", n: count(1)})).having(p=>max(p.mood) == "sad" || p.n > 0)',
    data: '{"x": "banana"}',
    answer: '[{"x":"banana","s":"sad","n":1}]',
  },
  { query: 'A.distinct(p=>p.b).include(p=>p.kids)', answer: 'wrong-arguments' },
  {
    query: 'A.pair.distinct(p=>p.part).include(p=>p.a.map(q=>q.id)).sort(p=>p.part).page(1, 5)',
    answer: '[{"part":1,"a":{"id":1}},{"part":2,"a":{"id":2}}]',
  },
  {
    query:
      'A.pair.distinct(p=>p.part).include(p=>p.a.map(q=>q.id)).sort(p=>p.part).after(c).take(2)',
    data: '{"c": null}',
    answer: '[{"part":1,"a":{"id":1}},{"part":2,"a":{"id":2}}]',
  },
];
