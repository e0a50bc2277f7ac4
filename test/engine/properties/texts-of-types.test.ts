/** Texts of types that some databases store without reading them. */
import { describe, expect, test } from 'vitest';
import { scalarEncoder } from '../../../src/engine/values/scalar-json.js';
import { scalarText } from '../../../src/engine/values/scalar-text.js';

describe('addresses', () => {
  test.each([
    ['10/8', '10.0.0.0/8'],
    ['10.1/16', '10.1.0.0/16'],
    ['10.0.0.1/8', '10.0.0.1/8'],
    ['10.0.0.1/32', '10.0.0.1'],
    ['10.0.0.1/0', '10.0.0.1/0'],
    ['001.2.3.4', '1.2.3.4'],
    ['::', '::'],
    ['0:0:0:0:0:0:0:0/0', '::/0'],
    ['1::', '1::'],
    ['::1', '::1'],
    ['::2:0', '::0.2.0.0'],
    ['0::1:2:3', '::1:2:3'],
    ['1:2:3:4:5:6:7:8', '1:2:3:4:5:6:7:8'],
    ['1:0:3:4:5:6:7:8', '1:0:3:4:5:6:7:8'],
    ['1:0:0:4:0:0:0:8', '1:0:0:4::8'],
    ['1:0:0:4:5:0:0:8', '1::4:5:0:0:8'],
    ['1:2:3:4:5:6:1.2.3.4', '1:2:3:4:5:6:102:304'],
    ['::ffff:1.2.3.4/128', '::ffff:1.2.3.4'],
    ['::FFFF:0:0', '::ffff:0.0.0.0'],
    ['::1.2.3.4/96', '::1.2.3.4/96'],
    ['FE80:0000::01/64', 'fe80::1/64'],
  ])('%s is %s', (text, canonical) => {
    expect(scalarText('inet', text)).toBe(canonical);
    expect(scalarText('inet', canonical)).toBe(canonical);
  });

  test.each([
    '300.1.1.1',
    '1.2.3',
    '1.2.3.4.5',
    '1.2.3.4/33',
    '1.2.3.4/8/8',
    '10',
    ':',
    ':::',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '1::2:3:4:5:6:7:8',
    '1::2::3',
    '12345::',
    'g::',
    '::1/129',
    '::1.2.3',
    'fe80::1%eth0',
  ])('%s is not', (text) => {
    expect(scalarText('inet', text)).toBeUndefined();
  });
});

describe('intervals', () => {
  test.each([
    'P1Y2M3DT4H5M6.7S',
    'P2W',
    'PT1H',
    'P-1DT-2H',
    'P0001-02-03T04:05:06',
    '1 day 02:00',
    '@ 3 weeks ago',
    '1-2',
    '1y 2mons 3d 4h',
    '-1.5 hours',
    '90',
    'infinity',
  ])('%s is one', (text) => {
    expect(scalarText('interval', text)).toBe(text);
  });

  test.each([
    ['1 day', 'P1D'],
    ['1 day -02:00:00.500', 'P1DT-2H-0.5S'],
    ['1 year 2 mons', 'P1Y2M'],
    ['00:00:00', 'PT0S'],
  ])('%s is answered, stored and compared as %s', (text, canonical) => {
    expect(scalarText('interval', text)).toBe(canonical);
    expect(scalarText('interval', canonical)).toBe(canonical);
    expect(scalarEncoder('interval')(text)).toBe(`"${canonical}"`);
  });

  test.each(['', 'x', 'P', 'P1X', 'day', 'one day', '1 fortnight', '1 day; 2', 'T1H'])(
    '%j is not',
    (text) => {
      expect(scalarText('interval', text)).toBeUndefined();
    },
  );
});

describe('JSON', () => {
  test.each(['\\', '\\u0000', '\\\\ud800', '😀', '\u0001', 'é'])('%j can be stored', (text) => {
    expect(scalarText('json', { [text]: [text] })).toBe(JSON.stringify({ [text]: [text] }));
  });

  test.each(['\0', '\ud800', '\udc00', '\\\0', '\\\\\ud83d'])('%j cannot', (text) => {
    expect(scalarText('json', text)).toBeUndefined();
    expect(scalarText('json', { a: [text] })).toBeUndefined();
    expect(scalarText('json', { [text]: 1 })).toBeUndefined();
  });
});
