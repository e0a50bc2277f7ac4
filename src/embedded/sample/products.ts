/** The products of the sample, and their categories. */
import { cyclic, randomOf } from './random.js';
import { type SampleRow, topics } from './row.js';
import words from './words.json' with { type: 'json' };

/** The number of suppliers at every scale. */
export const SUPPLIERS = 30;

const { makers, categories } = words;

export const categoryRows: readonly SampleRow[] = categories.map(
  ({ name, description }, index) => ({ id: index + 1, name, description }),
);

/** The product of that number, counted from 1. */
export function productRow(number: number): SampleRow {
  const random = randomOf(topics.product, number);
  const categoryId = (number % categories.length) + 1;
  const category = cyclic(categories, categoryId - 1);
  const isDiscontinued = random.chance(10);
  return {
    id: number,
    name: productName(number, category.goods),
    supplierId: random.between(1, SUPPLIERS),
    categoryId: random.chance(3) ? null : categoryId,
    quantity: random.chance(4) ? null : random.pick(category.packs),
    price: productPrice(number),
    inStock: isDiscontinued ? 0 : random.below(130),
    onOrder: random.chance(25) ? random.between(1, 10) * 10 : 0,
    reorderLevel: random.below(7) * 5,
    discontinued: isDiscontinued,
  };
}

/** The price of a product, with exactly two decimal places. */
export function productPrice(number: number): number {
  return randomOf(topics.product, -number).between(120, 9_900) / 100;
}

/** A name that no other product has. When all pairs of words are used, a number is added. */
function productName(number: number, goods: readonly string[]): string {
  const turn = Math.floor(number / categories.length);
  // Ten rounds with the same goods use ten makers: 8 × 5 + 1 and 8 × 6 + 1 have no factor in common
  // with 10.
  const maker = cyclic(makers, Math.floor(turn / goods.length) + number);
  const name = `${maker} ${cyclic(goods, turn)}`;
  const round = Math.floor(turn / (goods.length * makers.length));
  return round === 0 ? name : `${name} No. ${round + 1}`;
}
