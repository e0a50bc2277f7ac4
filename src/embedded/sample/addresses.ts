/** Addresses and telephone numbers that fit their country. */
import type { Random } from './random.js';
import { type Country, countries } from './words.js';

/** Where a firm or a person is. */
export interface Place {
  readonly country: Country;
  readonly city: string;
}

/** The five properties of an address. */
export interface Address {
  readonly address: string;
  readonly city: string;
  readonly region: string | null;
  readonly postalCode: string | null;
  readonly country: string;
}

/** A city somewhere. */
export function makePlace(random: Random): Place {
  const country = random.pick(countries);
  return { country, city: random.pick(country.cities) };
}

/** An address in `place`; some are without a postal code. */
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

/** A telephone number, which some do not have. */
export function makePhone({ country }: Place, random: Random): string | null {
  return random.chance(4) ? null : random.digits(country.phone);
}
