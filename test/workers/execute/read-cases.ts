/** Read plans with their data, which differs between the requests of a batch. */
import { oddTexts } from './batch-schema.js';

export interface ReadCase {
  readonly query: string;
  readonly data: readonly object[];
  /** Data that makes a request fail, and with it a whole batch. */
  readonly failing?: object;
}

const ids = [1, 2, 5, 40, 299, 300, 0, -1, 9999, 7].map((id) => ({ id }));
/** Values that need another plan than integers do, and whose requests run alone. */
export const otherNumbers: readonly unknown[] = [2.5, '-7.0', 298.5, '99999999999999999999'];
/** Numbers that integer columns cannot store. */
const wide = [
  2_147_483_648,
  -3_000_000_000,
  '1000000000000',
  '9223372036854775807',
  ...otherNumbers,
];
const wideIds = [...ids, ...wide.map((id) => ({ id }))];
const codes = [...oddTexts, 'none of them'].map((code) => ({ code }));
const amounts = [0, 1.25, 10, 12.5, 61.25, '12.50', 1e-7, -3].map((x) => ({ x }));
const numbers = [1, 2, 3, 7, 12, 0, -5].map((n) => ({ n }));
const texts = ['', '%', '_', 'a', 'NULL', '\\', '"', 'N', '😀', '{', "'", ' '].map((t) => ({ t }));
const instants = [
  '2024-02-25T10:00:00Z',
  '2024-03-01T00:00:00Z',
  '2024-02-29',
  '1900-01-01',
  '2024-02-25T17:00:00.000Z',
].map((t) => ({ t }));
const days = ['2024-02-25', '2024-02-29', '2024-03-05', '0001-01-01', '9999-12-31'].map((d) => ({
  d,
}));
const ranges = [
  { low: 1, high: 4 },
  { low: 299, high: 310 },
  { low: 5, high: 5 },
  { low: 100, high: 140 },
  { low: -3_000_000_000, high: 3 },
  { low: 298.5, high: 1_000_000_000_000 },
];

const keys: readonly ReadCase[] = [
  { query: 'Items.filter(p=>p.id==id)', data: wideIds },
  { query: 'Items.filter(p=>id==p.id)', data: wideIds },
  { query: 'Items.filter(p=>p.id==entity.key.id)', data: ids.map((key) => ({ entity: { key } })) },
  { query: 'Items.filter(p=>p.code==code).sort(p=>p.id)', data: codes },
  { query: 'Items.filter(p=>p.code==code).map(p=>p.code)', data: codes },
  { query: 'Items.filter(p=>p.code==code).sort(p=>desc(p.id)).map(p=>p.id)', data: codes },
  {
    query: 'Items.filter(p=>p.title==t).sort(p=>p.id)',
    data: ['Title 1', 'title 1', 'Title 39', ''].map((t) => ({ t })),
  },
  { query: 'Items.filter(p=>p.amount==x).sort(p=>p.id)', data: amounts },
  {
    query: 'Items.filter(p=>p.big==b)',
    data: ['9007199254740991', '9007199254740993', '+9007199254740993', '9223372036854775807'].map(
      (b) => ({ b }),
    ),
  },
  {
    query: 'Items.filter(p=>p.small==n).sort(p=>p.id)',
    data: [...numbers, ...[...wide, 40_000].map((n) => ({ n }))],
  },
  {
    query: 'Items.filter(p=>p.ratio==x).sort(p=>p.id)',
    data: [0, 0.125, '-0', 1, 2.375, 0.1].map((x) => ({ x })),
    failing: { x: '1e-400' },
  },
  { query: 'Items.filter(p=>p.ok==o).sort(p=>p.id)', data: [{ o: true }, { o: false }] },
  { query: 'Items.filter(p=>p.day==d).sort(p=>p.id)', data: days },
  { query: 'Items.filter(p=>p.at==t).sort(p=>p.id)', data: instants },
  {
    query: 'Items.filter(p=>p.clock==t).sort(p=>p.id)',
    data: ['00:11:00', '00:22:00', '23:59:59', '00:11:00.001'].map((t) => ({ t })),
  },
  {
    query: 'Items.filter(p=>p.note==n).sort(p=>p.id)',
    data: [{ n: 'note 1' }, { n: null }, { n: 'note 4' }, { n: '' }],
  },
  {
    query: 'Items.filter(p=>p.note!=n).sort(p=>p.id).map(p=>p.id)',
    data: [{ n: 'note 1' }, { n: null }, { n: '' }],
  },
  {
    query: 'Items.filter(p=>p.makerId==m).sort(p=>p.id)',
    data: [1, null, 12, 13, ...wide].map((m) => ({ m })),
  },
];

const conditions: readonly ReadCase[] = [
  {
    query: 'Items.filter(p=>p.id==id&&p.ok==o)',
    data: ids.flatMap((each) => [
      { ...each, o: true },
      { ...each, o: false },
    ]),
  },
  { query: 'Items.filter(p=>p.id==id&&p.ok)', data: wideIds },
  { query: 'Items.filter(p=>p.amount>20&&p.id==id)', data: ids },
  { query: 'Items.filter(p=>p.id==id&&(p.ok||p.small>3)&&p.note!=null)', data: ids },
  { query: 'Items.filter(p=>p.code==code&&p.title!="Title 3").sort(p=>p.id)', data: codes },
  { query: 'Items.filter(p=>p.code==code||p.id==3).sort(p=>p.id)', data: codes },
  { query: 'Items.filter(p=>p.id==id&&p.id==id)', data: ids },
  { query: 'Items.filter(p=>p.id>=low&&p.id<high).sort(p=>p.id)', data: ranges },
  { query: 'Items.filter(p=>between(p.id,low,high)).sort(p=>[p.title,desc(p.id)])', data: ranges },
  {
    query: 'Items.filter(p=>!(p.id>n)).sort(p=>p.id)',
    data: [...numbers, ...wide.map((n) => ({ n }))],
  },
  {
    query: 'Items.filter(p=>p.parts.sum(d=>d.quantity)>n).sort(p=>p.id).map(p=>p.id)',
    data: [...numbers, ...wide.map((n) => ({ n }))],
  },
  { query: 'Items.filter(p=>p.amount>x&&p.id<60).sort(p=>p.id).map(p=>p.amount)', data: amounts },
  {
    query: 'Items.filter(p=>p.at>t&&p.day<t).sort(p=>p.id).map(p=>[p.id,p.at,p.day])',
    data: instants,
  },
  {
    query: 'Items.filter(p=>p.makerId>m).sort(p=>p.id).map(p=>p.id)',
    data: [{ m: 11 }, { m: null }, { m: 5 }],
  },
  { query: 'Items.filter(p=>p.maker.name==t).sort(p=>p.id)', data: [{ t: 'Maker 3' }, { t: '' }] },
  {
    query: 'Items.filter(p=>p.maker.country==t).sort(p=>p.id).map(p=>[p.id,p.maker.country])',
    data: [{ t: 'PE' }, { t: 'CL' }, { t: 'XX' }, { t: null }],
  },
  { query: 'Items.filter(p=>exists(p.parts,d=>d.quantity>n)).count()', data: numbers },
  { query: 'Items.filter(p=>p.parts.count()==n).sort(p=>p.id).map(p=>p.id)', data: numbers },
  { query: 'Dear.filter(p=>p.id==id)', data: [...wideIds, { id: 20 }, { id: 49 }] },
  { query: 'Dear.filter(p=>p.code==code).sort(p=>p.id)', data: codes },
];

const shapes: readonly ReadCase[] = [
  { query: 'Items.filter(p=>p.id<9).sort(p=>p.id).take(n)', data: [{ n: 1 }, { n: 0 }, { n: 5 }] },
  {
    query: 'Items.sort(p=>p.id).page(n,size)',
    data: [
      { n: 1, size: 3 },
      { n: 2, size: 3 },
      { n: 150, size: 2 },
      { n: 9000, size: 5 },
      { n: 3, size: 1 },
    ],
  },
  {
    query: 'Items.filter(p=>p.small==s).sort(p=>desc(p.id)).page(n,2).map(p=>p.id)',
    data: [
      { s: 1, n: 1 },
      { s: 1, n: 2 },
      { s: 2, n: 1 },
    ],
  },
  { query: 'Items.filter(p=>p.small==n).sort(p=>p.id).first()', data: numbers },
  { query: 'Items.filter(p=>p.small==n).sort(p=>p.id).last()', data: numbers },
  { query: 'Items.filter(p=>p.small==n).count()', data: numbers },
  { query: 'Items.filter(p=>p.small>n).sort(p=>p.id).take(7).count()', data: numbers },
  { query: 'Items.filter(p=>p.small==n).distinct(p=>p.title).sort(p=>p.title)', data: numbers },
  { query: 'Items.filter(p=>p.small>n).distinct(p=>p.ok).count()', data: numbers },
  {
    query:
      'Items.filter(p=>p.small>n).map(p=>({t:p.title,n:count(1)})).having(p=>p.n>3).sort(p=>p.t)',
    data: numbers,
  },
  {
    query: 'Items.map(p=>({t:p.title,n:count(1)})).having(p=>p.n>least).sort(p=>p.t)',
    data: [{ least: 6 }, { least: 7 }, { least: 8 }, { least: -1 }],
  },
  {
    query: 'Items.map(p=>({k:p.amount>x,n:count(1),m:max(p.amount*x)})).sort(p=>p.k)',
    data: amounts,
  },
  { query: 'Items.map(p=>({s:sum(p.amount*x),n:count(1)}))', data: amounts },
  { query: 'Items.filter(p=>p.id==id).map(p=>({id:p.id,plus:p.amount+x,x:x}))', data: withX() },
  {
    query: 'Items.filter(p=>p.id>id&&p.id<9).map(p=>({id:p.id,x:x})).sort(p=>p.id)',
    data: [1, 'a', '', true, { a: [1.5, '{"x"}'] }, [], 1.5].map((x, index) => ({ id: index, x })),
  },
  { query: 'Items.filter(p=>p.id==id).map(p=>({id:p.id,times:p.small*x-1}))', data: withX() },
  {
    query: 'Items.filter(p=>p.id==id).map(p=>({r:p.small%n,d:p.amount/n,e:exp(p.id*n)}))',
    data: [0, 1, 2, 3, 7].map((n) => ({ id: 7, n })),
    failing: { id: 7, n: 400 },
  },
  {
    query: 'Items.filter(p=>p.id<4).map(p=>({id:p.id,f:o?p.code:fallback})).sort(p=>p.id)',
    data: texts.map(({ t }, index) => ({ o: index % 2 === 0, fallback: t })),
  },
  {
    query: 'Items.filter(p=>p.id<9).sort(p=>p.id).map(p=>({note:p.note??t}))',
    data: texts,
  },
  {
    query: 'Items.filter(p=>p.id<20).map(p=>p.id).sort(p=>[p.small*n,p.id])',
    data: numbers,
  },
];

function withX(): readonly object[] {
  return amounts.map((amount, index) => ({ id: index + 3, ...amount }));
}

const functions: readonly ReadCase[] = [
  { query: 'Items.filter(p=>startsWith(p.code,t)).sort(p=>p.id).map(p=>p.id)', data: texts },
  { query: 'Items.filter(p=>p.code.endsWith(t)).sort(p=>p.id).map(p=>p.id)', data: texts },
  { query: 'Items.filter(p=>p.code.includes(t)).sort(p=>p.id).map(p=>p.id)', data: texts },
  {
    query: 'Items.filter(p=>like(p.code,t)).sort(p=>p.id).map(p=>p.id)',
    data: texts.filter(({ t }) => t !== '\\'),
  },
  { query: 'Items.filter(p=>lower(p.code)==lower(t)).sort(p=>p.id).map(p=>p.id)', data: texts },
  {
    query: 'Items.filter(p=>p.id==id).map(p=>({c:concat(p.code,t),n:length(t),u:upper(t)}))',
    data: texts.map((text, index) => ({ id: index + 1, ...text })),
  },
  {
    query: 'Items.filter(p=>p.id<5).sort(p=>p.id).map(p=>({r:round(p.amount*x,n),p:power(x,2)}))',
    data: amounts.map((amount, index) => ({ ...amount, n: index % 3 })),
  },
  {
    query: 'Items.filter(p=>p.at<now()&&p.id==id).map(p=>({id:p.id,old:yearDiff(today(),p.at)>0}))',
    data: wideIds,
  },
  { query: 'Items.filter(p=>p.day==today()||p.id==id)', data: ids },
  {
    query: 'Items.filter(p=>p.at<addDay(t,n)).sort(p=>p.id).map(p=>[p.id,addMonth(p.at,n)])',
    data: instants.slice(0, 3).flatMap((each) => [
      { ...each, n: 1 },
      { ...each, n: -3 },
    ]),
  },
  {
    query: 'Items.filter(p=>nvl(p.note,t)==t).sort(p=>p.id).map(p=>p.id)',
    data: [{ t: 'note 1' }, { t: '' }, { t: 'NULL' }],
  },
  {
    query: 'Items.filter(p=>toNumber(t)==p.small).sort(p=>p.id).map(p=>p.id)',
    data: ['1', '7', ' 7 ', 'x', ''].map((t) => ({ t })),
  },
];

const included: readonly ReadCase[] = [
  { query: 'Items.filter(p=>p.id==id).include(p=>p.maker)', data: wideIds },
  { query: 'Items.filter(p=>p.id==id).include(p=>p.parts)', data: wideIds },
  {
    query: 'Items.filter(p=>p.code==code).sort(p=>p.id).include(p=>[p.maker,p.parts])',
    data: codes,
  },
  {
    query:
      'Items.filter(p=>p.id>=low&&p.id<high).sort(p=>desc(p.id)).include(p=>[p.parts.include(d=>d.item.include(i=>i.maker)),p.maker])',
    data: ranges,
  },
  {
    query: 'Makers.filter(p=>p.country==c).sort(p=>p.id).include(p=>p.items.include(i=>i.parts))',
    data: [{ c: 'PE' }, { c: 'CL' }, { c: null }, { c: 'XX' }],
  },
  {
    query: 'Items.sort(p=>p.id).page(n,3).include(p=>p.parts.sort(d=>desc(d.id)).take(2))',
    data: [{ n: 1 }, { n: 2 }, { n: 99 }, { n: 5000 }],
  },
  {
    query: 'Makers.filter(p=>p.id==id).include(p=>p.items.filter(i=>i.ok).map(i=>[i.id,i.code]))',
    data: wideIds,
  },
];

const titles = ['Title 1', 'Title 7', 'lit', 'Title 39', ''].map((t) => ({ t }));

/** String literals become placeholders, too: here, before and after the keys of the requests. */
const literals: readonly ReadCase[] = [
  {
    query: 'Items.filter(p=>p.title==t).map(p=>({x:"lit",id:p.id})).sort(p=>p.id)',
    data: titles,
  },
  {
    query:
      'Items.filter(p=>p.title==t&&p.note!="note 1").map(p=>({x:"lit",id:p.id,y:"Title 7"})).sort(p=>[concat(p.note,"a"),desc(p.id)])',
    data: titles,
  },
  {
    query:
      'Items.filter(p=>"Title 3"!=p.title&&p.title==t).sort(p=>[replace(p.code,"a","b"),p.id]).include(p=>[p.maker.map(m=>({n:m.name,x:"of a maker"})),p.parts.filter(d=>d.name!="part").map(d=>({d:d.id,x:"of a part"}))])',
    data: titles,
  },
  {
    query:
      'Items.filter(p=>p.title==t).map(p=>({id:p.id,m:p.maker.name??"none",n:p.parts.filter(d=>d.name.endsWith("3\\"")).count()})).sort(p=>p.id)',
    data: titles,
  },
  {
    query: 'Items.filter(p=>p.id==id&&p.note!="note 1").map(p=>({x:"lit",id:p.id,y:"?"}))',
    data: ids,
  },
  {
    query:
      'Items.filter(p=>p.small>n&&p.code!="a").map(p=>({x:"lit",id:p.id})).sort(p=>[concat(p.title,"b"),p.id]).page(1,7)',
    data: numbers,
  },
  {
    query:
      'Items.filter(p=>p.small>n).map(p=>({x:concat(p.title,"lit"),n:count(1)})).having(p=>p.x!="Title 3lit").sort(p=>p.x)',
    data: numbers,
  },
];

export const readCases: readonly ReadCase[] = [
  ...keys,
  ...conditions,
  ...shapes,
  ...functions,
  ...included,
  ...literals,
];
