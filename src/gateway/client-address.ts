/** Determines the address of a request's client, which may be behind proxies. */
import { BlockList, isIP, SocketAddress } from 'node:net';
import { UNIX_PROXY } from './option.js';
import type { Exchange } from './http/exchange.js';

export type AddressOf = (exchange: Exchange) => string;

/**
 * Creates the function that returns the address. It is the address of the connection or, if that is a
 * trusted proxy, the last address in `X-Forwarded-For` that is not a trusted proxy. It is empty for a
 * client on a UNIX socket. The function must be called before the answer.
 */
export function addressReader(trustedProxies: readonly string[]): AddressOf {
  const isTrusted = trustCheck(trustedProxies);
  if (isTrusted === undefined) return (exchange) => plainAddress(exchange.remoteAddress());
  return (exchange) => {
    let address = plainAddress(exchange.remoteAddress());
    const hops = exchange.headers['x-forwarded-for'].split(',');
    while (hops.length > 0 && isTrusted(address)) {
      const before = plainAddress(withoutPort(hops.pop() ?? ''));
      if (before === '') break;
      address = before;
    }
    return address;
  };
}

/** Some proxies write a port after the address, IPv6 in brackets, or everything in quotes. */
const FORWARDED = /^"?(?:\[([^\]]*)\](?::\d+)?|([\d.]+)(?::\d+)?|([^"]*))"?$/;

function withoutPort(hop: string): string {
  const [, inBrackets, ipv4, other = ''] = FORWARDED.exec(hop.trim()) ?? [];
  return inBrackets ?? ipv4 ?? other;
}

/** The address in its shortest form, and as IPv4 if it is one; empty if it is not an address. */
function plainAddress(text: string): string {
  const version = isIP(text);
  if (version !== 6) return version === 4 ? text : '';
  const { address } = new SocketAddress({ address: text, family: 'ipv6' });
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1] ?? address;
}

function trustCheck(proxies: readonly string[]): ((address: string) => boolean) | undefined {
  if (proxies.length === 0) return undefined;
  const trusted = new BlockList();
  for (const proxy of proxies) {
    if (proxy === UNIX_PROXY) continue;
    const [address = '', bits] = proxy.split('/');
    const family = familyOf(address);
    if (bits === undefined) trusted.addAddress(address, family);
    else trusted.addSubnet(address, Number(bits), family);
  }
  const trustsUnix = proxies.includes(UNIX_PROXY);
  return (address) => (address === '' ? trustsUnix : trusted.check(address, familyOf(address)));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return address.includes(':') ? 'ipv6' : 'ipv4';
}
