/** Random expressions of a given type, as text. Each can be an operand without parentheses. */
import {
  type Entity,
  entityNamed,
  type ItemType,
  itemTypeOf,
  itemTypes,
  type PropertyType,
} from '../world/domain.js';
import { usualText, valueOfText } from '../world/values.js';
import type { Random } from '../random.js';
import { aggregateOf } from './related.js';
import { innermost, type Mode, parameter, type Scope } from './sketch.js';
import { parts, partTemplates } from './part-templates.js';
import { type Letter, templates } from './templates.js';

export const typeOfLetter: Readonly<Record<Letter, PropertyType>> = {
  i: 'integer',
  d: 'decimal',
  f: 'number',
  s: 'string',
  b: 'boolean',
  t: 'dateTime',
  y: 'date',
  c: 'time',
  u: 'uuid',
  x: 'binary',
  e: 'enum',
  v: 'interval',
  a: 'inet',
};

/** The types with an order, of which there are expressions without columns. */
export const letters: readonly Letter[] = ['i', 'd', 'f', 's', 'b', 't', 'y', 'c'];

/** The types of which there are only columns. */
const columnLetters: readonly Letter[] = ['u', 'x', 'e', 'v', 'a'];

/** The types of the values that can be grouped and counted in this scope. */
export function lettersIn(scope: Scope): readonly Letter[] {
  return [...letters, ...columnLetters.filter((letter) => hasColumn(scope, letter))];
}

/** The types of the values by which rows can be sorted in this scope. */
export function sortableIn(scope: Scope): readonly Letter[] {
  return lettersIn(scope).filter((letter) => isSortable(typeOfLetter[letter]));
}

/** Databases sort intervals and addresses differently. */
const unsortable: readonly PropertyType[] = ['binary', 'interval', 'inet'];

export function isSortable(type: PropertyType): boolean {
  return !unsortable.includes(type) && isComparable(type);
}

export function isComparable(type: PropertyType): boolean {
  return type !== 'json' && type !== 'xml' && itemTypeOf(type) === undefined;
}

/** The probability of a leaf where deeper expressions are allowed. */
const LEAF = 0.3;
const RELATED = 0.1;
const ARRAYS = 0.2;
const PARTS = 0.15;
const XML = 0.1;

/** An expression of that type, nested at most `depth` levels. */
export function expression(scope: Scope, letter: Letter, depth: number, mode: Mode = ''): string {
  const { random } = scope.sketch;
  if (mode === '#') return literal(scope, letter);
  if (mode === '?') return parameter(scope, random.pick(parametersOf[letter]));
  if (mode === '=') return column(scope, letter) ?? typedLeaf(scope, letter);
  if (depth <= 0 || random.chance(LEAF)) return leaf(scope, letter, mode);
  if (scope.atoms) return ofTemplate(scope, letter, depth - 1);
  if (!scope.isOwn && random.chance(RELATED)) {
    const aggregate = aggregateOf(scope, letter, depth - 1, (inner) =>
      lettersIn(inner).includes(letter),
    );
    if (aggregate !== undefined) return aggregate;
  }
  const ofArray = random.chance(ARRAYS) ? expressionOfArray(scope, letter, depth - 1) : undefined;
  if (ofArray !== undefined) return ofArray;
  const ofJson = random.chance(PARTS) ? expressionOfJson(scope, letter, depth - 1) : undefined;
  if (ofJson !== undefined) return ofJson;
  const ofXml = random.chance(XML) ? expressionOfXml(scope, letter) : undefined;
  if (ofXml !== undefined) return ofXml;
  return ofTemplate(scope, letter, depth - 1);
}

function ofTemplate(scope: Scope, letter: Letter, depth: number): string {
  const { random, constructs } = scope.sketch;
  const template = random.weighted(templates[letter].filter(([, text]) => hasColumns(scope, text)));
  const chosen = withChoices(scope, template);
  constructs.add(chosen.replaceAll(/\{(\w)[\^=#?]?\}/g, '$1'));
  return filled(scope, chosen, depth);
}

/** A condition on an array, or its length; undefined for other types and without an array. */
function expressionOfArray(scope: Scope, letter: Letter, depth: number): string | undefined {
  const { random, constructs } = scope.sketch;
  if (letter !== 'b' && letter !== 'i') return undefined;
  const { name: variable, entity } = random.pick(scope.variables);
  const paths = itemTypes.flatMap((item) =>
    pathsOf(scope, entity, `${item}[]`).map((path) => ({ path: `${variable}.${path}`, item })),
  );
  if (paths.length === 0) return undefined;
  const { path, item } = random.pick(paths);
  if (letter === 'i') {
    constructs.add('length of an array');
    return random.pick([`length(${path})`, `${path}.len()`]);
  }
  const value = () => expression(scope, letterOfItem[item], depth, random.pick(['', '', '^', '#']));
  const kind = random.weighted([
    [3, 'contains'],
    [2, 'includes'],
    [2, 'in'],
    [1, 'null'],
  ] as const);
  constructs.add(`array ${kind}`);
  switch (kind) {
    case 'contains':
    case 'includes':
      return random.chance(0.5) ? `${path}.${kind}(${value()})` : `${kind}(${path}, ${value()})`;
    case 'in':
      return `in(${value()}, ${path})`;
    case 'null':
      return nullTest(random, path);
  }
}

/** XML is read as text, and compared with null only; undefined for other types and without XML. */
function expressionOfXml(scope: Scope, letter: Letter): string | undefined {
  const { random, constructs } = scope.sketch;
  const paths = scope.variables.flatMap(({ name, entity }) =>
    pathsOf(scope, entity, 'xml').map((path) => `${name}.${path}`),
  );
  if (paths.length === 0 || (letter !== 'b' && letter !== 's')) return undefined;
  constructs.add(`XML ${letter}`);
  const path = random.pick(paths);
  return letter === 'b' ? nullTest(random, path) : `toString(${path})`;
}

function nullTest(random: Random, path: string): string {
  return random.pick([
    `(${path} == null)`,
    `(${path} != null)`,
    `isNull(${path})`,
    `isNotNull(${path})`,
  ]);
}

/** An expression on a part of JSON; undefined for other types and without JSON. */
function expressionOfJson(scope: Scope, letter: Letter, depth: number): string | undefined {
  const { random, constructs } = scope.sketch;
  const fitting = partTemplates[letter];
  const paths = scope.variables.flatMap(({ name, entity }) =>
    pathsOf(scope, entity, 'json').map((path) => `${name}.${path}`),
  );
  if (!fitting || paths.length === 0) return undefined;
  const template = withChoices(scope, random.weighted(fitting));
  constructs.add(template.replaceAll(/\{(\w)[\^=#?]?\}/g, '$1'));
  const path = random.pick(paths);
  const whole = template.replaceAll('{doc}', path);
  return filled(
    scope,
    whole.replaceAll('{part}', () => `${path}${random.pick(parts)}`),
    depth,
  );
}

const letterOfItem: Readonly<Record<ItemType, Letter>> = {
  integer: 'i',
  decimal: 'd',
  number: 'f',
  string: 's',
  boolean: 'b',
  dateTime: 't',
  date: 'y',
  time: 'c',
  uuid: 'u',
  interval: 'v',
  inet: 'a',
};

/** Whether there are columns of the types in the template that only columns have. */
function hasColumns(scope: Scope, template: string): boolean {
  return columnLetters.every(
    (letter) => !template.includes(`{${letter}`) || hasColumn(scope, letter),
  );
}

function hasColumn(scope: Scope, letter: Letter): boolean {
  if (scope.atoms) return scope.atoms.some((atom) => atom.letter === letter);
  return scope.variables.some(({ entity }) => pathsOf(scope, entity, typeOfLetter[letter])[0]);
}

/** Fills the holes of a template. */
function filled(scope: Scope, template: string, depth: number): string {
  const { random } = scope.sketch;
  const first = /^(\w+)\(\{(\w)([\^=#?]?)\}(?:, )?(.*)\)$/s.exec(template);
  if (first && random.chance(0.2)) return asMethod(scope, first, depth);
  return template.replaceAll(/\{(\w)([\^=#?]?)\}/g, (_, hole: string, mode: string) =>
    inHole(scope, hole, mode as Mode, depth),
  );
}

/** Writes `lower(p.name)` as `p.name.lower()`. */
function asMethod(scope: Scope, match: RegExpExecArray, depth: number): string {
  const [, name = '', hole = '', mode = '', rest = ''] = match;
  const receiver = inHole(scope, hole, mode as Mode, depth);
  const isNumber = /^\d/.test(receiver);
  scope.sketch.constructs.add(`.${name}()`);
  return `${isNumber ? `(${receiver})` : receiver}.${name}(${filled(scope, rest, depth)})`;
}

function inHole(scope: Scope, hole: string, mode: Mode, depth: number): string {
  const list = listParameters[hole];
  return list === undefined
    ? expression(scope, hole as Letter, depth, mode)
    : parameter(scope, list);
}

/** Those of lists, and others that have a use of their own. */
const listParameters: Readonly<Record<string, string>> = {
  I: 'ids',
  S: 'texts',
  Y: 'days',
  U: 'uuids',
  E: 'moods',
  B: 'big1',
  T: 'at1',
  O: 'open1',
  V: 'word1',
  W: 'word2',
  L: 'words',
  P: 'alike1',
  Q: 'alike2',
  R: 'alike3',
  A: 'alikes',
};

function withChoices({ sketch }: Scope, template: string): string {
  return template.replaceAll(/⟨([^⟩]*)⟩/g, (_, choices: string) =>
    sketch.random.pick(choices.split('¦')),
  );
}

function leaf(scope: Scope, letter: Letter, mode: Mode): string {
  const { random } = scope.sketch;
  const isColumn = mode === '^' && columnLetters.includes(letter);
  const kind = random.weighted([
    [isColumn ? 1 : 6, 'column'],
    [isColumn ? 0 : 2.5, 'literal'],
    [mode === '^' ? 0 : 1.5, 'parameter'],
    [mode === '^' ? 0 : 0.2, 'null'],
  ] as const);
  if (kind === 'null') return 'null';
  if (kind === 'parameter') return parameter(scope, random.pick(parametersOf[letter]));
  const found = kind === 'column' ? column(scope, letter) : undefined;
  if (found !== undefined) return found;
  return mode === '^' ? typedLeaf(scope, letter) : literal(scope, letter);
}

const parametersOf: Readonly<Record<Letter, readonly string[]>> = {
  i: ['i1', 'i2', 'e.i3'],
  d: ['n1', 'n2', 'e.n3'],
  f: ['f1'],
  s: ['s1', 's2', 'e.s3'],
  b: ['b1', 'b2'],
  t: ['at1', 'at2'],
  y: ['d1', 'd2'],
  c: ['t1'],
  u: ['uuid1', 'e.uuid2'],
  x: ['bytes1'],
  e: ['mood1', 'e.mood2'],
  v: ['span1'],
  a: ['net1'],
};

/** ISO strings become dates only from their context, and numbers with a point are decimals. */
function typedLeaf(scope: Scope, letter: Letter): string {
  const text = literal(scope, letter);
  if (letter === 'f') return `sqrt(${text})`;
  if (letter === 't') return `dateTime(${text})`;
  if (letter === 'y') return `date(${text})`;
  return letter === 'c' ? `time(${text})` : text;
}

function literal({ sketch }: Scope, letter: Letter): string {
  const { random } = sketch;
  const type = typeOfLetter[letter];
  const text = usualText(random, type);
  if (type === 'boolean') return text;
  if (type === 'integer') return text.startsWith('-') ? `(${text})` : text;
  if (type === 'decimal' || type === 'number') return decimalLiteral(text);
  const written = letter === 's' ? valueOfText('string', text) : text;
  return quoted(String(written), random.pick(['"', '"', "'"]));
}

/** Adds a point or an exponent, so that the literal is not an integer. */
function decimalLiteral(text: string): string {
  const written = /[.e]/.test(text) ? text : `${text}.0`;
  return text.startsWith('-') ? `(${written})` : written;
}

export function quoted(text: string, quote = '"'): string {
  const inner = JSON.stringify(text).slice(1, -1);
  return quote === '"' ? `"${inner}"` : `'${inner.replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

/** A path to a property through at most two relations to one row; undefined if there is none. */
export function column(scope: Scope, letter: Letter): string | undefined {
  const { random } = scope.sketch;
  const { variables, atoms } = scope;
  if (atoms) {
    const fitting = atoms.filter((atom) => atom.letter === letter);
    return fitting.length > 0 ? random.pick(fitting).text : undefined;
  }
  const first = random.chance(0.9) ? innermost(scope) : random.pick(variables);
  const others = columnLetters.includes(letter) ? variables : [];
  for (const { name, entity } of [first, ...others]) {
    const paths = pathsOf(scope, entity, typeOfLetter[letter]);
    if (paths.length > 0) return `${name}.${random.pick(paths)}`;
  }
  return undefined;
}

/** The entity's own properties occur several times, so they are chosen more often. */
function pathsOf({ sketch, isOwn }: Scope, entity: Entity, type: PropertyType): readonly string[] {
  const at = (each: Entity, path: string, depth: number): readonly string[] => {
    const own = each.properties.filter((property) => property.type === type);
    const arrays = each.properties.filter((property) => property.type === `${type}[]`);
    const items = arrays.flatMap(({ name }) => [`${path}${name}[0]`, `${path}${name}[1]`]);
    const names = [...own.map(({ name }) => path + name), ...items];
    if (depth === 2 || isOwn) return names;
    const joined = each.relations
      .filter(({ isMany }) => !isMany)
      .flatMap(({ name, entity: target }) =>
        at(entityNamed(sketch.domain, target), `${path}${name}.`, depth + 1),
      );
    return depth === 0 ? [...names, ...names, ...names, ...joined] : [...names, ...joined];
  };
  return at(entity, '', 0);
}
