/** Generates addresses and telephone numbers in the format of their country. */
import type { Random } from './random.js';
import words from './words.json' with { type: 'json' };

/**
 * In the words, `#` stands for a digit, `~` for a digit that is not 0, and `@` for the name of a street. A region follows
 * a slash: `York / North Yorkshire`.
 */
type Country = (typeof words.countries)[number];

/** The location of a company or a person. */
export interface Place {
  readonly country: Country;
  readonly city: string;
}

export interface Address {
  readonly address: string;
  readonly city: string;
  readonly region: string | null;
  readonly postalCode: string | null;
  readonly country: string;
}

export function makePlace(random: Random): Place {
  const country = random.pick(words.countries);
  return { country, city: random.pick(country.cities) };
}

/** An address in `place`. Some have no postal code. */
export function makeAddress({ country, city }: Place, random: Random): Address {
  const street = random.pick(country.streets);
  const [name = '', region = null] = city.split(' / ');
  return {
    address: random.digits(country.street).replace('@', street),
    city: name,
    region,
    postalCode: random.chance(3) ? null : random.digits(country.postalCode),
    country: country.name,
  };
}

/** A telephone number; null for some. */
export function makePhone({ country }: Place, random: Random): string | null {
  return random.chance(4) ? null : random.digits(country.phone);
}
