/**
 * Values that the writer writes from the database's texts, and values that the reader accepts in the
 * data.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import '../../support/fixed-seed.js';
import {
  type CompiledQuery,
  type DataValue,
  EngineError,
  ExactNumber,
  type PropertyType,
  type ScalarType,
  readArguments,
  type StatementPlan,
} from '../../../src/engine/index.js';
import { rowText } from '../byte-rows.js';

describe('the writer', () => {
  test('writes strings as JSON does', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        expect(write('string', value)).toBe(JSON.stringify(value));
      }),
    );
  });

  test('copies the digits of numbers without trailing zeros', () => {
    const digits = fc.stringMatching(/^(0|[1-9]\d{0,30})$/);
    const fraction = fc.stringMatching(/^\d{0,30}$/);
    fc.assert(
      fc.property(fc.boolean(), digits, fraction, (isNegative, whole, rest) => {
        const sign = isNegative ? '-' : '';
        const kept = rest.replace(/0+$/, '');
        const number = `${sign}${whole}${kept && `.${kept}`}`;
        const expected = /^-0$/.test(number) ? '0' : number;
        const sent = `${sign}${whole}${rest && `.${rest}`}`;
        expect(write('decimal', sent)).toBe(expected);
        expect(write('number', sent)).toBe(expected);
        expect(write('integer', `${sign}${whole}`)).toBe(
          /^-0$/.test(sign + whole) ? '0' : sign + whole,
        );
      }),
    );
  });

  test.each(['NaN', 'Infinity', '-Infinity', 'inf'])('writes the number %s as null', (value) => {
    for (const type of ['decimal', 'number', 'integer'] as const) {
      expect(write(type, value)).toBe('null');
    }
  });

  test('writes doubles so that JSON reads the same value', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const written = JSON.parse(write('number', String(value)));
        expect(written).toBe(Object.is(value, -0) ? 0 : value);
      }),
    );
  });

  test('writes dateTimes as Date.toISOString does, in every year, with microseconds after them', () => {
    const date = fc.date({
      noInvalidDate: true,
      min: new Date('-004713-12-01T00:00:00Z'),
      max: new Date('+275760-01-01T00:00:00Z'),
    });
    const zone = fc.constantFrom('', '+00', '+00:00');
    fc.assert(
      fc.property(date, zone, fc.stringMatching(/^\d{0,3}$/), (value, offset, finer) => {
        const { day, time, era } = postgresqlParts(value, finer);
        const micros = finer.padEnd(3, '0').replace(/^000$/, '');
        const expected = JSON.stringify(value.toISOString().replace('Z', `${micros}Z`));
        expect(write('dateTime', `${day} ${time}${offset}${era}`)).toBe(expected);
        const midnight = `${value.toISOString().split('T')[0]}T00:00:00.000Z`;
        expect(write('date', `${day}${era}`)).toBe(JSON.stringify(midnight));
      }),
    );
  });

  test.each([
    ['dateTime', '2024-02-29 23:59:59.999999+00', '"2024-02-29T23:59:59.999999Z"'],
    ['dateTime', '2024-02-29 23:59:59.123400+00', '"2024-02-29T23:59:59.123400Z"'],
    ['dateTime', '2024-02-29 23:59:59.1234', '"2024-02-29T23:59:59.123400Z"'],
    ['time', '23:59:59.000001', '"23:59:59.000001"'],
    ['dateTime', '2024-02-29 23:59:59', '"2024-02-29T23:59:59.000Z"'],
    ['dateTime', '2024-02-29 23:59:59.5', '"2024-02-29T23:59:59.500Z"'],
    ['dateTime', '0001-01-01 00:00:00 BC', '"0000-01-01T00:00:00.000Z"'],
    ['dateTime', '0044-03-15 12:00:00+00 BC', '"-000043-03-15T12:00:00.000Z"'],
    ['dateTime', '12024-01-01 00:00:00+00', '"+012024-01-01T00:00:00.000Z"'],
    ['dateTime', 'infinity', 'null'],
    ['dateTime', '-infinity', 'null'],
    ['date', 'infinity', 'null'],
    ['date', '0044-03-15 BC', '"-000043-03-15T00:00:00.000Z"'],
    ['date', '12024-01-01', '"+012024-01-01T00:00:00.000Z"'],
    ['time', '23:59:59', '"23:59:59"'],
    ['time', '23:59:59.25', '"23:59:59.250"'],
    ['time', '00:00:00.000', '"00:00:00"'],
    ['boolean', 't', 'true'],
    ['boolean', 'f', 'false'],
    ['boolean', '1', 'true'],
    ['boolean', '0', 'false'],
    ['string', null, 'null'],
    ['decimal', null, 'null'],
    ['integer', '123456789012345678901234567890', '123456789012345678901234567890'],
    ['decimal', '20.8000', '20.8'],
    ['decimal', '0.000', '0'],
  ] as const)('writes the %s %s as %s', (type, value, expected) => {
    expect(write(type, value)).toBe(expected);
  });

  test('indents as JSON.stringify does', () => {
    const types = fc.array(fc.constantFrom<PropertyType>('string', 'integer', 'boolean'), {
      maxLength: 5,
    });
    fc.assert(
      fc.property(
        types,
        fc.array(fc.string({ unit: 'binary' }), { minLength: 5, maxLength: 5 }),
        (all, names) => {
          const columns = all.map((type, index) => ({ name: `k${index}${names[index]}`, type }));
          const fields = all.map(
            (type) => ({ string: 'a"b', integer: '7', boolean: 't' })[String(type)] ?? null,
          );
          const [compact, pretty] = [false, true].map((isPretty) =>
            rowText(sentenceOf(columns), fields, isPretty),
          );
          const indented = JSON.stringify([JSON.parse(compact ?? '')], null, 2);
          expect(`[\n  ${pretty}\n]`).toBe(indented);
        },
      ),
    );
  });
});

describe('the reader', () => {
  const accepted: Record<ScalarType, readonly DataValue[]> = {
    integer: [0, -7, '12', '-12', 2 ** 53, new ExactNumber('123456789012345678901')],
    decimal: [0, 1.5, -7, '1.50', '-.5', '1e3', new ExactNumber('0.1234567890123456789')],
    number: [0, 1.5, '1e-7'],
    string: ['', 'x', "'", '😀'],
    boolean: [true, false],
    dateTime: [
      '2024-02-29',
      '2024-02-29T12:00:00Z',
      '2024-02-29T12:00:00.123456+02:00',
      '-000043-03-15',
    ],
    date: ['2024-02-29', '2024-02-29T23:00:00-02:00'],
    time: ['12:00', '12:00:59', '12:00:59.5'],
    json: ['x', 7, true, [1, null], { a: [new ExactNumber('1.10')] }],
    uuid: ['123e4567-e89b-42d3-a456-426614174000', '123E4567-E89B-42D3-A456-426614174000'],
    binary: ['', 'AA==', 'AAE=', 'AAEC', '+/+/'],
    interval: ['P1DT2H', '1 day 02:00:00'],
    inet: ['192.168.0.1', '10.0.0.0/8', '::1', 'fe80::1/64'],
    xml: ['', '<a b="c"/>'],
    any: ['x', 7, true, 1.5],
  };
  const refused: Record<ScalarType, readonly DataValue[]> = {
    integer: [1.5, '', 'x', '1.0', true, '1e3', ' 1', [1], {}],
    decimal: ['', 'x', '1,5', true, 'NaN', 'Infinity', '0x1', [1], {}],
    number: ['', 'x', true, {}],
    string: [0, true, 'a\0b', '\ud800', ['x'], {}],
    boolean: ['true', 1, 0, '', {}],
    dateTime: ['', '2023-02-29', '2024-13-01', '2024-01-01T25:00:00Z', '01/02/2024', 0, true, {}],
    date: ['', '2023-02-29', '2024-1-1', 20240101, {}],
    time: ['', '24:00', '12', '12:60', 12, {}],
    json: [nested(501)],
    uuid: ['', '123e4567e89b42d3a456426614174000', '123e4567-e89b-42d3-a456-42661417400g', 7, {}],
    binary: ['A', 'AA=', 'A===', 'AA-_', 'AA==AA==', 7, {}],
    interval: [7, {}],
    inet: ['', 'x', '10.0.0.0/', 7, {}],
    xml: [7, {}],
    any: ['a\0b', [1], {}],
  };
  const types = Object.keys(accepted) as ScalarType[];

  test.each(types.flatMap((type) => accepted[type].map((value) => [type, value] as const)))(
    'takes for %s: %j',
    (type, value) => {
      expect(typeof readArguments(planWith(type), { x: value }).texts.get('x')).toBe('string');
      const { texts } = readArguments(planWith(`[${type}]`), { x: [value, null] });
      expect(texts.get('x')).toEqual([expect.any(String), null]);
    },
  );

  test.each(types.flatMap((type) => refused[type].map((value) => [type, value] as const)))(
    'refuses for %s: %j',
    (type, value) => {
      expect(codeOf(() => readArguments(planWith(type), { x: value }))).toBe('parameter-type');
      expect(codeOf(() => readArguments(planWith(`[${type}]`), { x: [value] }))).toBe(
        'parameter-type',
      );
    },
  );

  test.each([
    ['+5', '5'],
    ['007', '7'],
    ['-007', '-7'],
    ['+.50', '0.50'],
    ['-.5', '-0.5'],
    ['007.', '7'],
    ['-1.50e3', '-1.50e3'],
    ['1.e3', '1e3'],
    ['00', '0'],
    ['0', '0'],
  ])('writes the number %s as %s, as JSON does', (given, canonical) => {
    expect(textOf('decimal', given)).toBe(canonical);
    expect(textOf('number', given)).toBe(canonical);
    if (/^[+-]?\d+$/.test(given)) expect(textOf('integer', given)).toBe(canonical);
  });

  test('is not slowed down by many zeros', () => {
    const zeros = '0'.repeat(16_000);
    expect(textOf('decimal', `${zeros}x`)).toBeUndefined();
    expect(textOf('integer', `${zeros}1`)).toBe('1');
  });

  test.each([
    [1.2345678901234e18, '1234567890123400000'],
    [-1e23, '-100000000000000000000000'],
  ])('keeps the digits of the integer %d', (value, digits) => {
    expect(textOf('integer', value)).toBe(digits);
  });

  test('passes only strings, nulls and lists of them to a statement', () => {
    fc.assert(
      fc.property(fc.constantFrom(...types), fc.jsonValue(), (type, value) => {
        const data = { x: value } as DataValue;
        const read = () => readArguments(planWith(type), data).texts.get('x');
        const code = codeOf(read);
        if (code === undefined)
          expect([null, 'string']).toContain(read() === null ? null : typeof read());
        else expect(code).toBe('parameter-type');
      }),
    );
  });

  test('keeps an address in a cursor as it is stored', () => {
    const take = { kind: 'literal', value: 1 } as const;
    const cursor = { parameter: 'x', mark: '', column: 0, types: ['inet' as const], take };
    const plan = { ...planWith('string'), cursor };
    expect(readArguments(plan, { x: ['FE80::1'] }).texts.get('x.0')).toBe('FE80::1');
    expect(codeOf(() => readArguments(plan, { x: ['FE80'] }))).toBe('parameter-type');
  });

  test('ignores names that are not parameters, and requires those that are', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (data) => {
        const { x: _x, ...others } = data;
        const code = codeOf(() => readArguments(planWith('integer'), others as DataValue));
        expect(code).toBe('parameter-missing');
        const values = readArguments(planWith('integer'), { ...others, x: 1 } as DataValue);
        expect(values.texts.get('x')).toBe('1');
        for (const name of Object.keys(others)) expect(values.texts.get(name)).toBeUndefined();
      }),
    );
  });

  test('accepts only days of the calendar and times of the day', () => {
    const part = (max: number) =>
      fc.integer({ min: 0, max }).map((n) => String(n).padStart(2, '0'));
    const year = fc.constantFrom('0000', '1900', '2000', '2023', '2024', '9999');
    const parts = fc.tuple(year, part(13), part(32), part(24), part(60), part(60));
    fc.assert(
      fc.property(parts, ([y, month, day, hour, minute, second]) => {
        const date = `${y}-${month}-${day}`;
        const time = `${hour}:${minute}:${second}`;
        const isDay = isCanonical(`${date}T00:00:00.000Z`);
        const isInstant = isDay && isCanonical(`2024-01-01T${time}.000Z`);
        expect(textOf('date', date)).toBe(isDay ? date : undefined);
        expect(textOf('dateTime', date)).toBe(isDay ? `${date}T00:00:00.000000Z` : undefined);
        for (const fraction of ['.123', '.123456', '']) {
          const kept = fraction.slice(1).padEnd(6, '0');
          const expected = isInstant ? `${date}T${time}.${kept}Z` : undefined;
          expect(textOf('dateTime', `${date}T${time}${fraction}Z`)).toBe(expected);
        }
      }),
      { numRuns: 2000 },
    );
  });

  test('accepts every instant that Date can represent, with any offset', () => {
    const date = fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('9998-01-01') });
    fc.assert(
      fc.property(date, fc.integer({ min: -23 * 60, max: 23 * 60 }), (instant, minutes) => {
        const local = new Date(instant.getTime() + minutes * 60_000).toISOString().slice(0, -1);
        const amount = Math.abs(minutes);
        const hours = String(Math.floor(amount / 60)).padStart(2, '0');
        const offset = `${minutes < 0 ? '-' : '+'}${hours}:${String(amount % 60).padStart(2, '0')}`;
        fc.pre(/^\d/.test(local));
        const { texts } = readArguments(planWith('dateTime'), { x: local + offset });
        expect(texts.get('x')).toBe(`${instant.toISOString().slice(0, -1)}000Z`);
      }),
    );
  });
});

/** The argument that is sent for a value, or undefined if the value is refused. */
function nested(depth: number): DataValue {
  return depth === 0 ? [] : [nested(depth - 1)];
}

function textOf(type: PropertyType, value: DataValue): unknown {
  try {
    return readArguments(planWith(type), { x: value }).texts.get('x');
  } catch (error) {
    if (error instanceof EngineError) return undefined;
    throw error;
  }
}

function isCanonical(instant: string): boolean {
  const date = new Date(instant);
  return !Number.isNaN(date.getTime()) && date.toISOString() === instant;
}

function write(type: PropertyType, field: string | null): string {
  const row = rowText(sentenceOf([{ name: 'x', type }]), [field]);
  JSON.parse(row);
  return row.slice('{"x":'.length, -1);
}

function sentenceOf(
  columns: readonly { readonly name: string; readonly type: PropertyType }[],
): StatementPlan {
  return {
    entity: 'E',
    alias: 'e',
    position: { ln: 0, col: 0 },
    clause: 'select',
    source: 'default',
    dialect: 'PostgreSQL',
    text: '',
    columns: columns.map((column) => ({ ...column, role: 'value' })),
    parameters: [],
    arguments: [],
    includes: [],
  };
}

function planWith(type: CompiledQuery['parameters'][number]['type']): CompiledQuery {
  const root = sentenceOf([]);
  const parameters = [{ name: 'x', type }];
  return {
    expression: '',
    stage: '',
    view: '',
    root,
    entities: [],
    parameters,
    nullSensitive: [],
    numberSensitive: [],
    bytes: 0,
  } as CompiledQuery;
}

function codeOf(action: () => unknown): string | undefined {
  try {
    action();
    return undefined;
  } catch (error) {
    if (error instanceof EngineError) return error.code;
    throw error;
  }
}

/** The parts of a date as PostgreSQL writes them; `finer` are the digits after the milliseconds. */
function postgresqlParts(date: Date, finer: string) {
  const [day = '', clock = ''] = date.toISOString().slice(0, -1).split('T');
  const match = /^([+-]?\d+)(-\d\d-\d\d)$/.exec(day);
  const year = Number(match?.[1]);
  const shown = year <= 0 ? 1 - year : year;
  const era = year <= 0 ? ' BC' : '';
  return { day: `${String(shown).padStart(4, '0')}${match?.[2]}`, time: `${clock}${finer}`, era };
}
