/** Reads IP addresses as PostgreSQL does (`192.168.0.1`, `10/8`, `FE80::1/64`), and writes equal ones alike. */

const SHORT_BITS = 32;
const LONG_BITS = 128;
const GROUPS = 8;

/**
 * An address of IPv4 or IPv6, optionally with the length of its network, as PostgreSQL writes it: `10/8` is `10.0.0.0/8`.
 * Undefined for other texts.
 */
export function inetText(text: string): string | undefined {
  const [address = '', bits, more] = text.split('/');
  const isLong = address.includes(':');
  const bitsMax = isLong ? LONG_BITS : SHORT_BITS;
  if (more !== undefined || (bits !== undefined && !isUpTo(bits, bitsMax))) return undefined;
  const host = isLong ? longText(address) : shortText(address, bits === undefined ? 4 : 1);
  const length = Number(bits ?? bitsMax);
  return host === undefined || length === bitsMax ? host : `${host}/${length}`;
}

function isUpTo(digits: string, most: number): boolean {
  return /^\d{1,3}$/.test(digits) && Number(digits) <= most;
}

/** With a length, the last octets may be left out. */
function shortText(address: string, octetsMin: number): string | undefined {
  const octets = octetsOf(address, octetsMin);
  return octets && [...octets, 0, 0, 0].slice(0, 4).join('.');
}

function octetsOf(address: string, octetsMin: number): readonly number[] | undefined {
  const octets = address.split('.');
  const { length } = octets;
  const areFew = length >= octetsMin && length <= 4;
  return areFew && octets.every((octet) => isUpTo(octet, 255)) ? octets.map(Number) : undefined;
}

/** The first of the longest runs of zeros is `::`. An address of IPv4 after zeros is written as such. */
function longText(address: string): string | undefined {
  const groups = groupsOf(address);
  if (!groups) return undefined;
  const { start, length } = longestZeros(groups);
  const isShort = start === 0 && (length === 6 || (length === 5 && groups[5] === 0xffff));
  const octets = groups.slice(6).flatMap((group) => [group >> 8, group & 0xff]);
  const all = groups.map((group) => group.toString(16));
  const texts = isShort ? [...all.slice(0, 6), octets.join('.')] : all;
  if (length < 2) return texts.join(':');
  return `${texts.slice(0, start).join(':')}::${texts.slice(start + length).join(':')}`;
}

function longestZeros(groups: readonly number[]): { start: number; length: number } {
  let longest = { start: 0, length: 0 };
  let start = 0;
  for (const [index, group] of groups.entries()) {
    if (group !== 0) start = index + 1;
    const length = index + 1 - start;
    if (length > longest.length) longest = { start, length };
  }
  return longest;
}

/** Eight groups. In the text there may be fewer, with `::` in place of the others. */
function groupsOf(address: string): readonly number[] | undefined {
  const [start = '', end, more] = address.split('::');
  const first = groupsIn(start, end === undefined);
  const last = groupsIn(end ?? '', true);
  if (more !== undefined || !first || !last) return undefined;
  const missing = GROUPS - first.length - last.length;
  const fits = end === undefined ? missing === 0 : missing > 0;
  return fits ? [...first, ...Array.from({ length: missing }, () => 0), ...last] : undefined;
}

/** The last two groups may be an address of IPv4. */
function groupsIn(part: string, isLast: boolean): readonly number[] | undefined {
  const texts = part === '' ? [] : part.split(':');
  const octets = isLast ? octetsOf(texts.at(-1) ?? '', 4) : undefined;
  const others = octets ? texts.slice(0, -1) : texts;
  if (!others.every((group) => /^[\da-f]{1,4}$/i.test(group))) return undefined;
  const [a = 0, b = 0, c = 0, d = 0] = octets ?? [];
  const short = octets ? [(a << 8) | b, (c << 8) | d] : [];
  return [...others.map((group) => Number.parseInt(group, 16)), ...short];
}
