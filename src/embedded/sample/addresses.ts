/** Generates addresses and telephone numbers in the format of their country. */
import type { Random } from './random.js';
import { type Country, countries } from '../sample-words.js';

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
  const country = random.pick(countries);
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
