import { describe, expect, test } from 'vitest';
import { Names, Texts } from '../../../src/engine/input/rows/texts.js';

describe('the texts of a row', () => {
  test('distinguish absent values from null', () => {
    const texts = new Texts(new Names());
    texts.set('a', null);
    expect([texts.get('a'), texts.has('a')]).toEqual([null, true]);
    expect([texts.get('b'), texts.has('b')]).toEqual([undefined, false]);
    expect(texts.keys()).toEqual(['a']);
  });

  test('belong to one row, although rows share their names', () => {
    const names = new Names();
    const [one, other] = [new Texts(names), new Texts(names)];
    one.set('a', '1');
    other.set('b', '2');
    one.set('c', '3');
    expect([one.keys(), other.keys()]).toEqual([['a', 'c'], ['b']]);
    one.delete('a');
    one.delete('unknown');
    expect([one.get('a'), one.keys(), other.get('b')]).toEqual([undefined, ['c'], '2']);
  });

  test('take precedence over those they are placed over, and neither change', () => {
    const names = new Names();
    const [given, defaults] = [new Texts(names), new Texts(names)];
    given.set('a', null);
    defaults.set('a', 'default');
    defaults.set('b', 'own');
    const both = given.over(defaults);
    both.set('c', 'later');
    expect([both.get('a'), both.get('b'), both.get('c')]).toEqual([null, 'own', 'later']);
    expect([given.keys(), defaults.keys()]).toEqual([['a'], ['a', 'b']]);
    expect(new Texts(names).over(defaults).get('b')).toBe('own');
    expect(new Texts(names).over().keys()).toEqual([]);
  });
});
