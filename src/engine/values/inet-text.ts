/** Checks IP addresses as PostgreSQL reads them: `192.168.0.1`, `10/8`, `fe80::1/64`, `::ffff:10.0.0.1`. */

/** Whether the text is an address of IPv4 or IPv6, optionally with the length of its network. */
export function isInet(text: string): boolean {
  const [address = '', bits, more] = text.split('/');
  const isLong = address.includes(':');
  const isLength = bits === undefined || isUpTo(bits, isLong ? 128 : 32);
  if (more !== undefined || !isLength) return false;
  return isLong ? isLongAddress(address) : isShortAddress(address, bits === undefined ? 4 : 1);
}

function isUpTo(digits: string, most: number): boolean {
  return /^\d{1,3}$/.test(digits) && Number(digits) <= most;
}

/** With a length, the last octets may be left out. */
function isShortAddress(address: string, octetsMin: number): boolean {
  const octets = address.split('.');
  const { length } = octets;
  return length >= octetsMin && length <= 4 && octets.every((octet) => isUpTo(octet, 255));
}

/** Eight groups, or fewer with `::` in place of the others. The last two may be an address of IPv4. */
function isLongAddress(address: string): boolean {
  const [start = '', end, more] = address.split('::');
  if (more !== undefined) return false;
  const groups = [start, end ?? ''].flatMap((part) => (part === '' ? [] : part.split(':')));
  const last = groups.at(-1) ?? '';
  const isMixed = last.includes('.') && isShortAddress(last, 4) && !address.endsWith('::');
  const hexadecimal = isMixed ? groups.slice(0, -1) : groups;
  if (!hexadecimal.every((group) => /^[\da-f]{1,4}$/i.test(group))) return false;
  const count = hexadecimal.length + (isMixed ? 2 : 0);
  return end === undefined ? count === 8 : count <= 7;
}
