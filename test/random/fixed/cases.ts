/** Cases that random tests found, one for each kind of bug. */
export interface FixedCase {
  readonly query: string;
  /** The data as JSON text. */
  readonly data?: string;
  /** The answer as JSON text, or the code of the refusal. */
  readonly answer: string;
  /** The answer on MariaDB if it differs, because a number is too large there. */
  readonly onMariadb?: string;
  /** The answer as CSV. */
  readonly csv?: string;
  /** For a write: a query that runs afterwards, and its answer. */
  readonly afterwards?: readonly [query: string, answer: string];
}

const all = 'sort(p=>p.id)';

export const fixedCases: readonly FixedCase[] = [
  { query: 'A.distinct(p=>({x: 1 + n})).page(2, 2)', data: '{"n": 2}', answer: '[]' },
  { query: 'A.distinct(p=>({x: 0})).sort(p=>p.x).page(1, 2)', answer: '[{"x":0}]' },
  { query: 'Kinds.filter(p=>p.id==2).distinct(p=>p.bytes).last()', answer: '[{"bytes":"YWI="}]' },
  {
    query: 'Kinds.filter(p=>p.id==2).map(p=>({b: p.bytes, n: count()})).first()',
    answer: '[{"b":"YWI=","n":1}]',
  },
  {
    query: `A.filter(p=>isNotNull(in(p.parent.s, texts)) && in(p.parent.s, texts) != null).${all}.map(p=>p.id)`,
    data: '{"texts": []}',
    answer: '[{"id":1},{"id":2},{"id":3}]',
  },
  {
    query:
      'A.filter(p=>p.id==2).map(p=>({x: avg(p.parent.kids.sum(q=>p.parent.kids.max(r=>q.i)))}))',
    answer: '[{"x":-2147483648}]',
  },
  { query: 'A.where(p=>0 <> ~null << 1)', answer: '[]' },
  { query: 'A.map(p=>({x: ~null + 1, y: -null * 2})).take(1)', answer: '[{"x":null,"y":null}]' },
  {
    query:
      'A.filter(p=>p.b).sort(p=>[count(p.a0), p.a1.desc()]).first().map(p=>({a1: (max(p.i) - min((-3))), a0: count(1)}))',
    answer: 'wrong-arguments',
  },
  {
    query: `A.map(p=>({o: p.one.order})).${all}`,
    answer: '[{"o":"first"},{"o":null},{"o":null}]',
  },
  {
    query: `Weak.map(p=>({s: p.a.s, t: p.t})).${all}`,
    answer: '[{"s":"Ab","t":"held"},{"s":null,"t":"loose"}]',
  },
  {
    query: `A.map(p=>({x: p.kids.max(q=>p.i), n: p.kids.min(q=>p.kids.count())})).${all}`,
    answer: '[{"x":7,"n":2},{"x":null,"n":null},{"x":null,"n":null}]',
  },
  {
    query: 'A.filter(p=>p.id==1).map(p=>({l: lpad(p.s, 5, null), r: rpad(p.s, 2, null)}))',
    answer: '[{"l":null,"r":null}]',
  },
  {
    query: 'A.filter(p=>p.id==1).map(p=>({x: round(log(2, 8), 6)}))',
    answer: '[{"x":3}]',
  },
  {
    query: 'A.filter(p=>p.id==2).map(p=>({x: p.d*p.d, y: p.d**2, z: power(p.d, 2)}))',
    answer:
      '[{"x":9999999999999999999800000000000000000001,"y":9999999999999999999800000000000000000001,"z":9999999999999999999800000000000000000001}]',
  },
  {
    query: `A.filter(p=>0==null.trunc(1).toNumber()||1==null.abs().toInteger()).${all}`,
    answer: '[]',
  },
  {
    query: `A.filter(p=>p.kids.max(q=>"O'Neil")>"a"||"A"=="a").${all}.map(p=>p.id)`,
    answer: '[]',
  },
  {
    query: 'A.filter(p=>p.id==1).map(p=>({x: nvl(n, 1) << 0}))',
    data: '{"n": null}',
    answer: '[{"x":1}]',
  },
  { query: 'A.page(1, 0)', answer: 'wrong-arguments' },
  { query: 'A.page(x, 1)', data: '{"x": null}', answer: 'parameter-type' },
  { query: 'A.page(1, x)', data: '{"x": 0}', answer: 'parameter-type' },
  {
    query: 'A.update(p=>({extra: p.s})).filter(p=>p.id==1)',
    data: '{"s": "of the data"}',
    answer: '1',
    afterwards: [`A.map(p=>p.extra).${all}`, '[{"extra":"Ab"},{"extra":null},{"extra":"1.50"}]'],
  },
  {
    query: 'One.update().include(p=>p.a)',
    data: '{"code": 77, "order": "x", "a": {"i": 1}}',
    answer: '0',
    afterwards: ['A.count()', '[{"count":3}]'],
  },
  {
    query: 'Bare.update(p=>({now: null})).filter(p=>p.a.b)',
    answer: '1',
  },
  {
    query: 'A.pair.delete().filter(p=>exists(p.a.pairs.filter(q=>q.a.b), q=>q.kind!=p.kind))',
    answer: '2',
    afterwards: ['A.pair.map(p=>p.kind)', '[{"kind":"x"}]'],
  },
  { query: `A.map(p=>p.s).${all}`, answer: '[{"s":"Ab"},{"s":null},{"s":"a%b"}]' },
  {
    query: 'A.map(p=>({m: -p.i, n: ~p.i, a: abs(p.i)})).filter(p=>p.id==2)',
    answer: '[{"m":2147483648,"n":2147483647,"a":2147483648}]',
  },
  {
    query: `A.map(p=>({z: p.d/0, r: p.i%0, q: p.i/(p.i-7)})).${all}`,
    answer:
      '[{"z":null,"r":null,"q":null},{"z":null,"r":null,"q":0.99999999674037099947},{"z":null,"r":null,"q":null}]',
  },
  {
    query: 'A.distinct(p=>({x: p.id==1 ? "a" : "a "})).sort(p=>p.x)',
    answer: '[{"x":"a"},{"x":"a "}]',
  },
  {
    query:
      'A.map(p=>({x: max(p.id==1 ? "a" : "a "), y: min(p.id==3 ? "a\\t" : "a"), n: count(distinct(p.id==1 ? "b" : "b "))}))',
    answer: '[{"x":"a ","y":"a","n":2}]',
  },
  {
    query: 'A.map(p=>p.id).sort(p=>p.id==1 ? "a" : "a\\t")',
    answer: '[{"id":1},{"id":2},{"id":3}]',
  },
  {
    query: 'A.map(p=>({x: p.id==2 ? chr(98) : chr(64+p.id)})).sort(p=>p.x)',
    answer: '[{"x":"A"},{"x":"C"},{"x":"b"}]',
  },
  {
    query:
      'A.filter(p=>p.id==1).map(p=>({i: indexOf(chr(65), "a"), r: replace(chr(65), "a", "b")}))',
    answer: '[{"i":-1,"r":"A"}]',
  },
  {
    query: 'A.distinct(p=>({x: p.extra})).sort(p=>p.x)',
    answer: '[{"x":"1.50"},{"x":"x"},{"x":null}]',
  },
  { query: 'A.filter(p=>p.kids.max(q=>"a ")=="a").map(p=>p.id)', answer: '[]' },
  {
    query: 'A.sort(p=>toJson(p.s)).map(p=>p.s)',
    answer: '[{"s":"Ab"},{"s":"a%b"},{"s":null}]',
  },
  { query: 'A.filter(p=>!in(1, [p.one.a.kids.last(q=>0)])).map(p=>p.id)', answer: '[{"id":1}]' },
  {
    query: 'A.distinct(p=>({x: p.d*100000000.00000001})).sort(p=>p.x)',
    answer: '[{"x":-10000000000000000999899999999.99999999},{"x":250000000.000000025},{"x":null}]',
  },
  {
    query:
      'A.filter(p=>p.id==1).map(p=>({x: round(p.d, n), y: trunc(p.i, -3000000000), z: round(p.d, m)}))',
    data: '{"n": 3000000000, "m": null}',
    answer: '[{"x":2.5,"y":0,"z":null}]',
  },
  {
    query:
      'A.filter(p=>p.id==1).map(p=>p.id).include(p=>p.kids.map(k=>({y: k.d*10000000000.5, n: k.parent.i})))',
    answer: '[{"id":1,"kids":[{"y":-1000000000049999999989999999999.5,"n":7},{"y":null,"n":7}]}]',
  },
  {
    query: 'A.filter(p=>p.id==2).map(p=>({x: p.d*10000000000.5})).include(p=>p.kids)',
    answer: '[{"x":-1000000000049999999989999999999.5,"kids":[]}]',
  },
  {
    query: 'A.map(p=>({up: p.up, x: sum(p.d*10000000000.5)})).sort(p=>p.up)',
    answer: '[{"up":1,"x":-1000000000049999999989999999999.5},{"up":null,"x":25000000001.25}]',
  },
  {
    query:
      'A.filter(p=>p.id==1).map(p=>p.id).include(p=>p.kids.map(k=>({y: k.d.power(2), n: k.parent.i})))',
    answer:
      '[{"id":1,"kids":[{"y":9999999999999999999800000000000000000001,"n":7},{"y":null,"n":7}]}]',
    onMariadb: 'value-out-of-range',
  },
  {
    query: 'A.map(p=>({up: p.up, x: sum(p.d*p.d)})).sort(p=>p.up)',
    answer: '[{"up":1,"x":9999999999999999999800000000000000000001},{"up":null,"x":6.25}]',
    onMariadb: 'value-out-of-range',
  },
  {
    query: 'A.filter(p=>p.id==2).map(p=>({x: toString(p.f)}))',
    answer: `[{"x":"1${'0'.repeat(300)}"}]`,
    onMariadb: 'value-out-of-range',
  },
  {
    query: 'A.filter(p=>p.id==2).map(p=>({x: p.f.toDecimal() + 1}))',
    answer: `[{"x":1${'0'.repeat(299)}1}]`,
    onMariadb: 'value-out-of-range',
  },
  {
    query: 'A.filter(p=>p.id==2).map(p=>({x: toDecimal("1e35") - 1, y: toDecimal("1e34") - 1}))',
    answer: `[{"x":${'9'.repeat(35)},"y":${'9'.repeat(34)}}]`,
    onMariadb: 'value-out-of-range',
  },
  {
    query: 'Weak.update().include(p=>p.a)',
    data: '{"id": 999, "t": "x", "aId": null, "a": {"s": "k"}}',
    answer: '0',
    afterwards: ['A.count()', '[{"count":3}]'],
  },
  {
    query: 'A.pair.update().include(p=>p.a)',
    data: '{"part": 1, "kind": "x", "n": 5, "a": {"i": 3}}',
    answer: '0',
    afterwards: ['A.count()', '[{"count":3}]'],
  },
  {
    query: 'Weak.update().include(p=>p.a)',
    data: '{"id": 999, "t": "x", "aId": null}',
    answer: 'constraint-unmet',
  },
  { query: 'A.sort(p=>[!false, desc(p.id)]).map(p=>p.id)', answer: '[{"id":3},{"id":2},{"id":1}]' },
  {
    query:
      'A.filter(p=>p.id==1).map(p=>p.id).include(p=>p.kids.sort(k=>[desc(!true), desc(k.id)]).map(k=>k.id))',
    answer: '[{"id":1,"kids":[{"id":3},{"id":2}]}]',
  },
  {
    query: 'A.filter(p=>p.id==1).map(p=>({x: count() > 9 ? sum(10 ** (p.i*60)) : 0}))',
    answer: 'value-out-of-range',
  },
  {
    query: 'A.filter(p=>p.id==2).map(p=>({x: -2.5 // 1, y: -2.5 // p.id, z: -2.5 // (p.id - 1)}))',
    answer: '[{"x":-2.5,"y":null,"z":-2.5}]',
  },
  {
    query: 'A.filter(p=>p.id==2).map(p=>({x: concat(-0.01 % -0.01, "|", (0 - p.id) % -0.5)}))',
    answer: '[{"x":"0|0"}]',
  },
  {
    query: 'A.having(p=>isNotNull(p.k)).map(p=>({k: p.id==1 ? "a" : "b", x: avg(0)})).sort(p=>p.k)',
    answer: '[{"k":"a","x":0},{"k":"b","x":0}]',
  },
  {
    query:
      'A.having(p=>upper(p.k)=="A").map(p=>({k: p.kids.avg(q=>4).nvl2("a", "b"), x: avg(0)})).sort(p=>p.k)',
    answer: '[{"k":"a","x":0}]',
  },
  {
    query:
      'A.map(p=>({k: p.id==1 ? "a" : "b", x: concat(p.id==1 ? "a" : "b", count(1))})).sort(p=>p.k)',
    answer: '[{"k":"a","x":"a1"},{"k":"b","x":"b2"}]',
  },
  {
    query: 'A.map(p=>({k: p.id==1 ? "a" : "b", x: avg(0)})).sort(p=>desc(p.k + "x"))',
    answer: '[{"k":"b","x":0},{"k":"a","x":0}]',
  },
  {
    query: `Kinds.${all}.map(p=>({u: toJson(p.token), b: toJson(p.bytes)}))`,
    answer:
      '[{"u":"\\"123e4567-e89b-42d3-a456-426614174000\\"","b":"\\"\\""},{"u":"\\"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11\\"","b":"\\"YWI=\\""},{"u":null,"b":null}]',
  },
  {
    query: 'Kinds.having(p=>p.k=="").map(p=>({x: count(1), k: p.bytes}))',
    answer: '[{"x":1,"k":""}]',
    csv: 'x,k\r\n1,""\r\n',
  },
  {
    query:
      'Kinds.having(p=>p.k=="AA==").map(p=>({x: concat(toString(p.bytes ?? b), count(1)), k: p.bytes ?? b})).sort(p=>toString(p.k))',
    data: '{"b": "AA=="}',
    answer: '[{"x":"AA==1","k":"AA=="}]',
  },
  {
    query: 'Kinds.filter(p=>in(toString(p.bytes), texts)).map(p=>p.id)',
    data: '{"texts": ["YWI="]}',
    answer: '[{"id":2}]',
  },
  {
    query: `Kinds.${all}.map(p=>({x: p.flags.includes(null), z: in(null, p.tags), i: p.sizes.contains(null)}))`,
    answer:
      '[{"x":false,"z":false,"i":false},{"x":false,"z":false,"i":false},{"x":null,"z":null,"i":null}]',
  },
  {
    query: `Kinds.${all}.map(p=>({a: p.doc.a[0], b: p.doc.list[0], c: p.doc[0], d: p.doc[2][0]}))`,
    answer:
      '[{"a":null,"b":"x","c":null,"d":null},{"a":null,"b":null,"c":"a","d":true},{"a":null,"b":null,"c":null,"d":null}]',
  },
  {
    query: `Kinds.filter(p=>in(p.doc.a, [7, 1]) || includes(["a"], p.doc[0])).${all}.map(p=>p.id)`,
    answer: '[{"id":1},{"id":2}]',
  },
  {
    query: 'Kinds.filter(p=>p.price==x || in(p.price, xs)).map(p=>p.id)',
    data: '{"x": 2.251, "xs": [-999.9901]}',
    answer: '[]',
  },
  { query: 'Kinds.filter(p=>p.price==2.251).map(p=>p.id)', answer: '[]' },
  {
    query: 'Kinds.filter(p=>p.price==x).map(p=>p.id)',
    data: '{"x": 2.250}',
    answer: '[{"id":1}]',
  },
  {
    query:
      'Kinds.map(p=>({n: count(distinct(0)), k: p.tags[0], i: p.sizes[0], b: p.flags[0]})).sort(p=>[p.k, p.b])',
    answer:
      '[{"n":1,"k":"a","i":7,"b":true},{"n":1,"k":null,"i":null,"b":false},{"n":1,"k":null,"i":null,"b":null}]',
  },
  {
    query: 'Kinds.bulkMerge()',
    data: '[{"price": 7.504, "bytes": "YWI="}]',
    answer:
      '[{"id":4,"token":null,"bytes":"YWI=","long":null,"flags":null,"tags":null,"sizes":null,"doc":null,"price":7.5}]',
    afterwards: [
      `Kinds.filter(p=>p.id>2).${all}.map(p=>p.price)`,
      '[{"price":999.99},{"price":7.5}]',
    ],
  },
  {
    query: 'Kinds.upsert()',
    data: '{"price": 2.2501, "long": 5}',
    answer:
      '{"id":1,"token":"123e4567-e89b-42d3-a456-426614174000","bytes":"","long":5,"flags":[true,null],"tags":["a","é"],"sizes":[7,-1],"doc":{"a":7,"list":["x"]},"price":2.25}',
  },
  { query: 'A.map(p=>({v: p.extra && x}))', data: '{"x": true}', answer: 'type-mismatch' },
  { query: 'A.filter(p=>!p.extra).count()', answer: 'type-mismatch' },
  { query: 'A.filter(p=>p.extra).count()', answer: 'type-mismatch' },
  {
    query: 'Kinds.distinct(p=>({b: p.bytes})).after(c).take(2)',
    data: '{"c": null}',
    answer: 'unsupported',
  },
  {
    query: 'Kinds.map(p=>({n: sum(distinct(p.id)), k: contains(p.sizes, x)})).sort(p=>p.k)',
    data: '{"x": 7}',
    answer: '[{"n":2,"k":false},{"n":1,"k":true},{"n":3,"k":null}]',
  },
  {
    query:
      'A.filter(p=>p.id>1).map(p=>({n: sum(distinct(p.id)), k: p.parent.kids.max(q=>q.id)})).sort(p=>p.n)',
    answer: '[{"n":5,"k":3}]',
  },
  {
    query: 'A.map(p=>({n: sum(distinct(p.i)), k: (exists(p.kids) ? x : p.day)})).sort(p=>p.n)',
    data: '{"x": "2024-02-29"}',
    answer:
      '[{"n":-2147483648,"k":"9999-12-31T00:00:00.000Z"},{"n":7,"k":"2024-02-29T00:00:00.000Z"},{"n":null,"k":null}]',
  },
  {
    query: 'A.update()',
    data: '[{"id": 2, "up": 99}, {"id": 2, "up": 1}]',
    answer: 'foreign-key-violation',
    afterwards: ['A.filter(p=>p.up==99).count()', '[{"count":0}]'],
  },
  {
    query: 'Marks.upsert()',
    data: '{"id": 1, "mood": "high 5"}',
    answer: '{"id":1,"part":2,"kind":"x","note":"first","mood":"high 5","net":"192.168.0.1"}',
  },
  { query: 'Marks.upsert()', data: '{"id": 9, "mood": "sad"}', answer: 'constraint-unmet' },
  {
    query: 'Marks.upsert()',
    data: '{"id": 9, "kind": "y", "part": null}',
    answer: '{"id":9,"part":null,"kind":"y","note":"Y!","mood":null,"net":null}',
  },
  {
    query: `Marks.map(p=>({t: toString(p.net), j: toJson(p.net), c: "a" + p.net})).${all}`,
    answer:
      '[{"t":"192.168.0.1","j":"\\"192.168.0.1\\"","c":"a192.168.0.1"},{"t":"10.0.0.0/8","j":"\\"10.0.0.0/8\\"","c":"a10.0.0.0/8"},{"t":null,"j":null,"c":null}]',
  },
  { query: 'A.map(p=>({x: p.id + 9223372036854775807}))', answer: 'value-out-of-range' },
  { query: 'A.filter(p=>p.id + 9223372036854775807 > 0)', answer: 'value-out-of-range' },
  {
    query: 'A.map(p=>({x: 5 >> n, y: 5 << n, z: p.id << -n})).take(1)',
    data: '{"n": 4294967297}',
    answer: '[{"x":null,"y":null,"z":null}]',
  },
  {
    query:
      'Kinds.filter(p=>p.id==1).sort(p=>p.a).map(p=>({k: p.id, a: avg((p.long + 0.0) * x), n: sum(distinct(0))}))',
    data: '{"x": 10000000000000.25}',
    answer: '[{"k":1,"a":92233720368550063913009213693951.75,"n":0}]',
  },
  {
    query: 'Kinds.map(p=>({id: p.id, k: p.tags.includes(title(x))})).filter(p=>p.id==1)',
    data: '{"x": "the cat"}',
    answer: '[{"id":1,"k":false}]',
  },
  {
    query: 'A.map(p=>({id: p.id, s: p.s == null ? "z" : null})).sort(p=>[p.s, p.id])',
    answer: '[{"id":2,"s":"z"},{"id":1,"s":null},{"id":3,"s":null}]',
  },
  {
    query: 'A.map(p=>({s: p.parent.s, i: p.i})).sort(p=>[p.s, p.i])',
    answer: '[{"s":"Ab","i":-2147483648},{"s":"Ab","i":null},{"s":null,"i":7}]',
  },
  {
    query: 'A.map(p=>({s: upper(p.parent.s), i: p.i})).sort(p=>[p.s, p.i])',
    answer: '[{"s":"AB","i":-2147483648},{"s":"AB","i":null},{"s":null,"i":7}]',
  },
];
