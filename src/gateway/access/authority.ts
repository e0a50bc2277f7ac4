/** Determines who sends a request, from the key or the token in its `Authorization` header. */
import { LRUCache } from 'lru-cache';
import type { Configuration } from '../config.js';
import { Refusal } from '../errors.js';
import type { Observe } from '../observe.js';
import { type CountsBySender, createCounts } from './counts.js';
import { stateOfFile, watchChanges } from './file-watch.js';
import { digestOf, readKeys, timeOf } from './keys-file.js';
import { createPrincipal, type Principal } from './principal.js';

export interface Authority {
  /** A promise while a new token is verified. Throws a `Refusal`, or rejects with one. */
  identify(authorization: string): Principal | Promise<Principal>;
  /** Reads the files again. Throws if they are invalid; otherwise, the returned function puts them in force. */
  prepareReload(): () => void;
  close(): void;
  readonly counts: CountsBySender;
}

/** The maximum total length of all remembered headers, in characters. */
const HEADERS_LENGTH_MAX = 16 << 20;
const BEARER = /^Bearer +(\S+) *$/i;

/** Undefined if requests need neither a key nor a token. Rejects if a file is invalid. */
export async function authorityFor(
  configuration: Configuration,
  observe: Observe,
): Promise<Authority | undefined> {
  const { keysFile, jwtKeyFile, jwtJwksUrl, jwtIssuer, jwtAudience } = configuration;
  const counts = createCounts();
  // Loaded only if an option is about tokens, because the package is large.
  const isAboutTokens = jwtKeyFile ?? jwtJwksUrl ?? jwtIssuer ?? jwtAudience;
  const tokens = isAboutTokens === undefined ? undefined : await import('./tokens.js');
  const readVerifier = () => tokens?.tokenVerifier(configuration, observe, counts.of);
  let verifier = readVerifier();
  if (keysFile === undefined && !verifier) return undefined;
  const read = () => (keysFile === undefined ? NO_KEYS : principalsIn(keysFile, counts));
  const stateBefore = keysFile === undefined ? '' : stateOfFile(keysFile);
  let keys = read();
  /** By the whole header: a digest for each request would take more time than everything else. */
  const admitted = new LRUCache<string, Principal>({
    maxSize: HEADERS_LENGTH_MAX,
    sizeCalculation: (_, header) => header.length,
  });
  let readings = 0;
  let reloads = 0;
  const useKeys = (next: ReadonlyMap<string, Principal>) => {
    readings += 1;
    keys = next;
    // Tokens need not be verified again.
    for (const [header, { name }] of admitted.entries()) {
      if (name.startsWith(KEY_PREFIX)) admitted.delete(header);
    }
  };
  const prepareReload = () => {
    const next = read();
    const before = readings;
    // A JWKS that was fetched stays in use if its issuer is away.
    const nextVerifier = jwtKeyFile === undefined ? verifier : readVerifier();
    return () => {
      reloads += 1;
      admitted.clear();
      verifier = nextVerifier;
      verifier?.renew();
      // The file may have changed, and been read, since then.
      if (readings === before) useKeys(next);
    };
  };
  const admit = (header: string, principal: Principal): Principal => {
    admitted.set(header, principal);
    return principal;
  };
  const changed = () => {
    try {
      useKeys(read());
      observe({ kind: 'keys-read', keys: keys.size });
    } catch (cause) {
      observe({ kind: 'keys-unreadable', cause });
    }
  };
  const close =
    keysFile === undefined ? () => undefined : watchChanges(keysFile, stateBefore, changed);
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
      if (verifier) {
        const before = reloads;
        return verifier.verify(secret).then((found) => {
          // After a reload, the next request is verified by the new key.
          return reloads === before ? admit(authorization, found) : found;
        });
      }
      throw new Refusal('unauthenticated', 'The key is not valid.');
    },
    counts,
    prepareReload,
    close,
  };
}

const MISSING = 'This request needs a key or a token, in the header "Authorization: Bearer …".';
const KEY_PREFIX = 'key:';
const NO_KEYS: ReadonlyMap<string, Principal> = new Map();

function principalsIn(path: string, counts: CountsBySender): ReadonlyMap<string, Principal> {
  return new Map(
    readKeys(path).map(({ name, hash, expires, ...grants }) => {
      const trustedUntil = expires === undefined ? Number.POSITIVE_INFINITY : timeOf(expires);
      const own = `${KEY_PREFIX}${name}`;
      const parts = { name: own, counts: counts.of(own), trustedUntil };
      return [hash, createPrincipal(parts, grants)];
    }),
  );
}

function current(principal: Principal): Principal {
  if (principal.trustedUntil > Date.now()) return principal;
  throw new Refusal('unauthenticated', 'The key has expired.');
}
