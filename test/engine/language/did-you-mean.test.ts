import { describe, expect, test } from 'vitest';
import { didYouMean, didYouMeanWord, nearest } from '../../../src/engine/language/did-you-mean.js';

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
    { name: 'n', found: [] },
  ];
  test.each(cases)('finds $found for $name', ({ name, found }) => {
    expect(nearest(name, [...properties, 'c'])).toEqual(found);
  });

  test('returns at most three, the nearest first, ties by name', () => {
    expect(nearest('cat', ['cut', 'bat', 'cats', 'cap', 'cat'])).toEqual(['cat', 'bat', 'cap']);
  });

  test('returns each candidate once', () => {
    expect(nearest('nam', ['name', 'name'])).toEqual(['name']);
  });

  test('returns none for a name that is too long to be a typing error', () => {
    expect(nearest('a'.repeat(65), ['a'.repeat(65)])).toEqual([]);
  });
});

describe('didYouMean', () => {
  test('suggests one', () => {
    expect(didYouMean('nam', properties)).toBe("Did you mean 'name'?");
  });

  test('suggests several', () => {
    expect(didYouMean('cap', ['cat', 'cup'])).toBe("Did you mean 'cat' or 'cup'?");
    expect(didYouMean('cap', ['cat', 'cup', 'map'])).toBe("Did you mean 'cat', 'cup' or 'map'?");
  });

  test('returns no text if no name is similar', () => {
    expect(didYouMean('zzz', properties)).toBeUndefined();
  });
});

describe('didYouMeanWord', () => {
  const words = ['filter', 'take', 'page', 'exists', 'lower'];

  test.each([
    ['limit', "Did you mean 'take' or 'page'?"],
    ['Some', "Did you mean 'exists'?"],
    ['any', "Did you mean 'exists'?"],
    ['toLowerCase', "Did you mean 'lower'?"],
    ['slice', "Did you mean 'page'?"],
    ['join', undefined],
    ['fliter', "Did you mean 'filter'?"],
  ])('translates words of other languages, and suggests similar ones: %s', (name, hint) => {
    expect(didYouMeanWord(name, words)).toBe(hint);
  });
});
