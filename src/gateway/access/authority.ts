/** Finds out who sends a request, by the key or the token in its `Authorization` header. */
import { unwatchFile, watchFile } from 'node:fs';
import { LRUCache } from 'lru-cache';
import type { Configuration } from '../config.js';
import { Refusal } from '../errors.js';
import type { Observe } from '../observe.js';
import { digestOf, readKeys } from './keys-file.js';
import { createPrincipal, type Principal } from './principal.js';
import { tokenVerifier } from './tokens.js';

export interface Authority {
  /**
   * The sender of a request with this header; a promise while a new token is verified. Throws a `Refusal`,
   * or rejects with one.
   */
  identify(authorization: string): Principal | Promise<Principal>;
  /** Reads the keys again. Throws, and the old keys stay in force, if they are invalid. */
  reload(): void;
  close(): void;
}

/** How often the file of keys is checked for changes. */
const WATCH_MS = 1000;
/** The maximum total length of all remembered headers, in characters. */
const HEADERS_LENGTH_MAX = 16 << 20;
const BEARER = /^Bearer +(\S+) *$/i;

/**
 * Creates the authority; undefined if requests need neither a key nor a token. Throws if a file is
 * invalid.
 */
export function authorityFor(
  configuration: Configuration,
  observe: Observe,
): Authority | undefined {
  const { keysFile } = configuration;
  const verify = tokenVerifier(configuration, observe);
  if (keysFile === undefined && !verify) return undefined;
  const read = () => (keysFile === undefined ? NO_KEYS : principalsIn(keysFile));
  let keys = read();
  /**
   * By the whole header, because computing a digest for each request would take more time than
   * everything else.
   */
  const admitted = new LRUCache<string, Principal>({
    maxSize: HEADERS_LENGTH_MAX,
    sizeCalculation: (_, header) => header.length,
  });
  const reload = () => {
    keys = read();
    admitted.clear();
  };
  const admit = (header: string, principal: Principal): Principal => {
    admitted.set(header, principal);
    return principal;
  };
  const changed = () => {
    try {
      reload();
      observe({ kind: 'keys-read', keys: keys.size });
    } catch (cause) {
      observe({ kind: 'keys-unreadable', cause });
    }
  };
  if (keysFile !== undefined) {
    watchFile(keysFile, { interval: WATCH_MS, persistent: false }, changed);
  }
  return {
    identify: (authorization) => {
      const known = admitted.get(authorization);
      if (known && known.trustedUntil > Date.now()) return known;
      const [, secret] = BEARER.exec(authorization) ?? [];
      if (secret === undefined) throw new Refusal('unauthenticated', MISSING);
      // Digests are looked up, and headers by a hash with a secret seed, so the time reveals
      // nothing about a key.
      const principal = keys.get(digestOf(secret));
      if (principal) return admit(authorization, current(principal));
      if (verify) return verify(secret).then((found) => admit(authorization, found));
      throw new Refusal('unauthenticated', 'The key is not valid.');
    },
    reload,
    close: () => {
      if (keysFile !== undefined) unwatchFile(keysFile, changed);
    },
  };
}

const MISSING = 'This request needs a key or a token, in the header "Authorization: Bearer …".';
const NO_KEYS: ReadonlyMap<string, Principal> = new Map();

function principalsIn(path: string): ReadonlyMap<string, Principal> {
  return new Map(
    readKeys(path).map(({ name, hash, expires, ...grants }) => {
      const expiresAt = expires === undefined ? Number.POSITIVE_INFINITY : Date.parse(expires);
      return [hash, createPrincipal(`key:${name}`, grants, expiresAt)];
    }),
  );
}

function current(principal: Principal): Principal {
  if (principal.trustedUntil > Date.now()) return principal;
  throw new Refusal('unauthenticated', 'The key has expired.');
}
