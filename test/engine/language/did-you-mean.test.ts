import { describe, expect, test } from 'vitest';
import { didYouMean, nearest } from '../../../src/engine/language/did-you-mean.js';

const properties = ['id', 'name', 'price', 'inStock', 'supplierId', 'categoryId', 'discontinued'];

describe('nearest', () => {
  const cases = [
    { name: 'nam', found: ['name'] },
    { name: 'naem', found: ['name'] },
    { name: 'Price', found: ['price'] },
    { name: 'instok', found: ['inStock'] },
    { name: 'suplierID', found: ['supplierId'] },
    { name: 'discontinud', found: ['discontinued'] },
    { name: 'zzz', found: [] },
    { name: '', found: [] },
  ];
  test.each(cases)('of $name is $found', ({ name, found }) => {
    expect(nearest(name, properties)).toEqual(found);
  });

  test('gives three at most, the nearest first, ties by name', () => {
    expect(nearest('cat', ['cut', 'bat', 'cats', 'cap', 'cat'])).toEqual(['cat', 'bat', 'cap']);
  });

  test('gives each candidate once', () => {
    expect(nearest('nam', ['name', 'name'])).toEqual(['name']);
  });

  test('gives none for a name longer than any that someone mistypes', () => {
    expect(nearest('a'.repeat(65), ['a'.repeat(65)])).toEqual([]);
  });
});

describe('didYouMean', () => {
  test('asks for one', () => {
    expect(didYouMean('nam', properties)).toBe("Did you mean 'name'?");
  });

  test('asks for several', () => {
    expect(didYouMean('cap', ['cat', 'cup'])).toBe("Did you mean 'cat' or 'cup'?");
    expect(didYouMean('cap', ['cat', 'cup', 'map'])).toBe("Did you mean 'cat', 'cup' or 'map'?");
  });

  test('says nothing when nothing is near', () => {
    expect(didYouMean('zzz', properties)).toBeUndefined();
  });
});
