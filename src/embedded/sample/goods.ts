/** What the sample's trading house sells: categories, and words for the products of each. */
import type { SampleRow } from './row.js';

/** A category with its kinds of goods and the ways in which they are packed. */
export interface Category {
  readonly name: string;
  readonly description: string | null;
  readonly goods: readonly [string, ...string[]];
  readonly packs: readonly [string, ...string[]];
}

export const categories: readonly [Category, ...Category[]] = [
  {
    name: 'Drinks',
    description: 'Coffee, tea, juices, beers and wines',
    goods: ['Rosé', 'Café Crème', 'Sencha 煎茶', 'Ginger Ale', 'Weißbier', 'Mate'],
    packs: ['24 × 330 ml bottles', '12 × 750 ml bottles', '20 bags × 2 g'],
  },
  {
    name: 'Sauces & Spices',
    description: 'Sauces, relishes, spreads and seasonings, sweet and hot',
    goods: ['Jalapeño Sauce', 'Fleur de Sel', 'Miso 味噌', 'Chutney', 'Piment d’Espelette'],
    packs: ['12 × 200 ml jars', '48 × 50 g tins', '6 × 1 l bottles'],
  },
  {
    name: 'Sweets',
    description: "Chocolates, biscuits and children's favourites",
    goods: ['Crème Brûlée', 'Marzipan', "Lion's Toffee", 'Alfajores', 'Mochi 餅', 'Lebkuchen'],
    packs: ['10 boxes × 12 pieces', '500 g tin', '32 × 80 g bars'],
  },
  {
    name: 'Dairy',
    description: 'Cheeses and butter',
    goods: ['Gruyère', 'Queso Añejo', 'Crème Fraîche', 'Brunost', 'Farmhouse Cheddar'],
    packs: ['2 kg wheel', '10 × 500 g packs', '24 × 125 g pots'],
  },
  {
    name: 'Bakery & Grains',
    description: 'Breads, pasta and cereals',
    goods: ['Knäckebröd', 'Pâtes Fraîches', 'Baker’s Oats', 'Basmati', 'Polenta'],
    packs: ['16 × 450 g packs', '25 kg sack', '24 × 250 g boxes'],
  },
  {
    name: 'Meat & Poultry',
    description: null,
    goods: ['Chorizo', 'Bündnerfleisch', "Shepherd's Pie", 'Pâté de Canard', 'Kiełbasa'],
    packs: ['10 × 300 g packs', '1 kg piece', '24 × 200 g tins'],
  },
  {
    name: 'Fruit & Vegetables',
    description: 'Dried fruit, preserves and bean curd',
    goods: ['Açaí', 'Pflaumenmus', 'Tofu 豆腐', 'Piquillo Peppers', 'Dried Figs'],
    packs: ['50 × 300 g packs', '12 × 370 ml jars', '5 kg box'],
  },
  {
    name: 'Fish & Seafood',
    description: 'From the sea, and weeds of it',
    goods: ['Gravad Lax', 'Nori 海苔', "Fisherman's Cod", 'Boquerones', 'Rødspætte'],
    packs: ['24 × 150 g jars', '10 × 500 g packs', '2 kg box'],
  },
];

/** One each. */
export const categoryRows: readonly SampleRow[] = categories.map(
  ({ name, description }, index) => ({
    id: index + 1,
    name,
    description,
  }),
);
