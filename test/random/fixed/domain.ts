/** The domain and rows of the fixed cases: every type, and relations of every kind. */
import type { Row, Tables } from '../evaluate/tables.js';
import type { Domain, Entity, Property, PropertyType, Relation } from '../world/domain.js';
import { valueOfText } from '../world/values.js';

function property(name: string, type: PropertyType, more: Partial<Property> = {}): Property {
  return {
    name,
    type,
    required: false,
    column: name,
    ...(type === 'string' && { length: 80 }),
    ...more,
  };
}

const id = property('id', 'integer', { autoIncrement: true });

/** A relation to one row, and its inverse. */
function pair(
  { name, from, entity: owner }: { name: string; from: readonly string[]; entity: string },
  target: string,
  more: Partial<Pick<Relation, 'entity' | 'to' | 'isWeak'>> & {
    type?: 'oneToMany' | 'oneToOne';
  } = {},
): readonly [Relation, Relation] {
  const { entity: other = 'A', to = ['id'], isWeak = false, type = 'oneToMany' } = more;
  const declared = { type, target };
  const isMany = type === 'oneToMany';
  return [
    { name, from, entity: other, to, isMany: false, isWeak, declared },
    { name: target, from: to, entity: owner, to: from, isMany, isWeak },
  ];
}

const parent = pair({ name: 'parent', from: ['up'], entity: 'A' }, 'kids');
const one = pair({ name: 'a', from: ['aId'], entity: 'One' }, 'one', { type: 'oneToOne' });
const weak = pair({ name: 'a', from: ['aId'], entity: 'Weak' }, 'weaks', { isWeak: true });
const bare = pair({ name: 'a', from: ['aId'], entity: 'Bare' }, 'bares');
const part = pair({ name: 'a', from: ['part'], entity: 'A.pair' }, 'pairs');
const kind = pair({ name: 'of', from: ['kindId'], entity: 'Links' }, 'links', { entity: 'Kinds' });
const key = ['part', 'kind'];
const mark = pair({ name: 'pair', from: key, entity: 'Marks' }, 'marks', {
  entity: 'A.pair',
  to: key,
});

const stampOfTitle = { text: 'concat(title, "/made")', form: 'p=>concat(p.title, "/made")' };
const sum = { text: 'total + part', form: 'p=>p.total + p.part' };
const labelOfSecret = { text: 'concat(label, secret)', form: 'p=>concat(p.label, p.secret)' };

const initials = {
  text: 'substring(initial, 1, part)',
  form: 'p=>substring(p.initial, 1, p.part)',
};

const noteOfKind = { text: '`${upper(kind)}!`', form: 'p=>upper(p.kind) + "!"' };

function entity(
  name: string,
  primaryKey: readonly string[],
  properties: readonly Property[],
  relations: readonly Relation[],
): Entity {
  const table = `t_${name.replace('.', '_').toLowerCase()}`;
  return { name, table, primaryKey, uniqueKey: [], properties, relations, size: 0 };
}

export const fixedDomain: Domain = {
  entities: [
    entity(
      'A',
      ['id'],
      [
        id,
        property('i', 'integer'),
        property('d', 'decimal'),
        property('f', 'number'),
        property('s', 'string', { default: 'standard' }),
        property('b', 'boolean'),
        property('at', 'dateTime', { default: '2024-01-31T06:30:15.250Z' }),
        property('day', 'date'),
        property('clock', 'time'),
        property('extra', 'any'),
        property('up', 'integer'),
      ],
      [...parent, one[1], weak[1], bare[1], part[1]],
    ),
    {
      ...entity(
        'One',
        ['code'],
        [
          property('code', 'integer', { required: true }),
          property('aId', 'integer'),
          property('order', 'string'),
        ],
        [one[0]],
      ),
      uniqueKey: ['aId'],
    },
    {
      ...entity(
        'Weak',
        ['id'],
        [id, property('aId', 'integer', { required: true }), property('t', 'string')],
        [weak[0]],
      ),
      constraints: [{ text: 'aId != 7', form: 'p=>p.aId != 7' }],
    },
    entity('Bare', [], [property('now', 'dateTime'), property('aId', 'integer')], [bare[0]]),
    entity(
      'A.pair',
      ['part', 'kind'],
      [
        property('part', 'integer', { required: true }),
        property('kind', 'string', { required: true }),
        property('n', 'decimal'),
      ],
      [part[0], mark[1]],
    ),
    entity(
      'Marks',
      ['id'],
      [
        id,
        property('part', 'integer'),
        property('kind', 'string'),
        property('note', 'string', { required: true, computed: noteOfKind }),
        property('mood', 'enum'),
        property('net', 'inet'),
      ],
      [mark[0]],
    ),
    entity(
      'Made',
      ['id'],
      [
        id,
        property('total', 'integer', { writeValue: sum }),
        property('part', 'integer', { default: 7 }),
        property('title', 'string'),
        property('label', 'string', { writeValue: labelOfSecret }),
        property('secret', 'string', { required: true, length: 10, computed: stampOfTitle }),
        property('initial', 'string', { required: true, default: '_', writeValue: initials }),
      ],
      [],
    ),
    {
      ...entity(
        'Kinds',
        ['id'],
        [
          id,
          property('token', 'uuid'),
          property('bytes', 'binary'),
          property('long', 'integer', { isLong: true }),
          property('flags', 'boolean[]'),
          property('tags', 'string[]'),
          property('sizes', 'integer[]'),
          property('doc', 'json'),
          property('price', 'decimal', { digits: { precision: 5, scale: 2 } }),
        ],
        [kind[1]],
      ),
      uniqueKey: ['price'],
      index: 'price',
    },
    entity(
      'Links',
      ['id'],
      [id, property('kindId', 'integer'), property('token', 'uuid')],
      [kind[0]],
    ),
  ],
};

const rows: Readonly<Record<string, readonly (readonly (string | null)[])[]>> = {
  A: [
    [
      '1',
      '7',
      '2.5',
      '0.5',
      'Ab',
      'true',
      '2024-02-29T12:00:00.000Z',
      '2024-02-29',
      '12:30:00',
      'x',
      null,
    ],
    [
      '2',
      '-2147483648',
      '-99999999999999999999',
      '1e300',
      null,
      'false',
      '9999-12-31T23:59:59.999Z',
      '9999-12-31',
      '23:59:59.999',
      null,
      '1',
    ],
    ['3', null, null, null, 'a%b', null, null, null, null, '1.50', '1'],
  ],
  One: [['10', '1', 'first']],
  Weak: [
    ['1', '1', 'held'],
    ['2', '99', 'loose'],
  ],
  Bare: [
    ['2024-02-29T12:00:00.000Z', '1'],
    [null, null],
  ],
  'A.pair': [
    ['1', 'x', '1.5'],
    ['1', 'y', null],
    ['2', 'x', '0'],
  ],
  Marks: [
    ['1', '2', 'x', 'first', 'sad', '192.168.0.1'],
    ['2', '2', null, 'second', null, '10.0.0.0/8'],
    ['3', '2', 'x', 'third', 'banana', null],
  ],
  // An import computes the total again.
  Made: [['1', '3', '0', 'a', null, 'b', 'c']],
  Kinds: [
    [
      '1',
      '123e4567-e89b-42d3-a456-426614174000',
      '',
      '9223372036854775807',
      '["true",null]',
      '["a","é"]',
      '["7","-1"]',
      '{"a": 7, "list": ["x"]}',
      '2.25',
    ],
    [
      '2',
      'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11',
      'YWI=',
      null,
      '["false"]',
      '[null]',
      '[]',
      '["a", 7, [true]]',
      null,
    ],
    ['3', null, null, '-3', null, null, null, null, '999.99'],
  ],
  Links: [
    ['1', '1', null],
    ['2', '2', null],
    ['3', null, null],
  ],
};

/** The rows with which every case starts. */
export const fixedTables: Tables = new Map(
  fixedDomain.entities.map(({ name, properties }) => {
    const all = (rows[name] ?? []).map((texts): Row => {
      return new Map(
        properties.map(({ name: each, type }, at) => {
          const text = texts[at] ?? null;
          return [each, text === null ? null : valueOfText(type, text)] as const;
        }),
      );
    });
    return [name, all] as const;
  }),
);
