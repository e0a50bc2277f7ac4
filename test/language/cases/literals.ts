/** Literals of every form, white space, comments, lambdas and names. */
import type { ReadCase } from '../read-case.js';

/** Values of one row, as written in the query and as JSON. */
const written: readonly (readonly [expression: string, json: string])[] = [
  ['0', '0'],
  ['7', '7'],
  ['-0', '0'],
  ['0.50', '0.5'],
  ['.5', '0.5'],
  ['5.', '5'],
  ['1e3', '1000'],
  ['1E3', '1000'],
  ['2.5e+2', '250'],
  ['2.5e-3', '0.0025'],
  ['12345678901234567890', '12345678901234567890'],
  ['-12345678901234567890', '-12345678901234567890'],
  ['123456789012345.678901234567891', '123456789012345.678901234567891'],
  ['9223372036854775806+1', '9223372036854775807'],
  ['12345678901234567890+1.0', '12345678901234567891'],
  ['0.000000000000000000000000000001', '0.000000000000000000000000000001'],
  ['true', 'true'],
  ['false', 'false'],
  ['null', 'null'],
  ['"text"', '"text"'],
  ["'text'", '"text"'],
  ['`text`', '"text"'],
  ['`two\nlines`', '"two\\nlines"'],
  ['"it\'s"', '"it\'s"'],
  [`'say "x"'`, '"say \\"x\\""'],
  [String.raw`"a\"b"`, String.raw`"a\"b"`],
  [String.raw`'a\'b'`, `"a'b"`],
  [String.raw`"a\\b"`, String.raw`"a\\b"`],
  [String.raw`"tab\tline\n"`, String.raw`"tab\tline\n"`],
  [String.raw`"\x41\u00e9\u{1F600}"`, '"Aé😀"'],
  [String.raw`"\u{41}\q"`, '"Aq"'],
  ['"😀 é   ünïçödé €"', '"😀 é   ünïçödé €"'],
  ['"a b"', '"a b"'],
  ['" a  b "', '" a  b "'],
  ['""', '""'],
  ['"$1 ? % _ -- /* */ ;"', '"$1 ? % _ -- /* */ ;"'],
  [`"'; DROP TABLE products; --"`, `"'; DROP TABLE products; --"`],
  ['"// no comment"', '"// no comment"'],
  ['1 /* one */ + /* two */ 2', '3'],
  ['(((((1)))))', '1'],
  ['1\n+\n2', '3'],
];

const one = 'SELECT 1 AS id';

/** Different texts of the same query. */
const texts: readonly string[] = [
  ' Products . filter ( p => p . id == 1 ) . map ( p => p . id ) ',
  'Products\n  .filter(p => p.id == 1)\n  .map(p => p.id)\n',
  'Products.filter(p=>p.id==1).map(p=>p.id);',
  'Products.filter(p=>p.id==1).map(p=>p.id) ; ',
  'Products.filter((p)=>p.id==1).map((p)=>p.id)',
  'Products.filter(a=>a.id==1).map(b=>b.id)',
  'Products.filter($a_1=>$a_1.id==1).map(_=>_.id)',
  'Products.filter(p=>(p.id==1)).map(p=>(p.id))',
  '/* a */ Products/* b */.filter(p=>p.id==1)/* c */.map(p=>p.id)/* d */',
  '()=>Products.filter(p=>p.id==1).map(p=>p.id)',
  '\tProducts.where(p=>p.id==1).select(p=>p.id)',
  'Products.map(p=>p.id).filter(p=>p.id==1)',
  'Products.filter(p=>p.id==1).map(p=>({id:p.id}))',
  'Products.filter(p=>p.id==1).map(p=>{id:p.id})',
  'Products.filter(p=>p.id==1).map(p=>({"id": p.id}))',
  'Products.filter(p=>p.id==1).map(p=>[p.id])',
  'Products.filter(p=>p.id==1).map(p=>({id: p.id,}))',
  'Products.filter(Products=>Products.id==1).map(p=>p.id)',
];

export const literals: readonly ReadCase[] = [
  ...written.map(([expression, json]) => ({
    query: `Products.filter(p=>p.id==1).map(p=>({r: ${expression}}))`,
    rows: `[{"r":${json}}]`,
  })),
  ...texts.map((query) => ({ query, sql: one })),
];
