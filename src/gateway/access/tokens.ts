/**
 * Verifies JSON Web Tokens (RFC 7519). The kind of the configured key determines the algorithms, so
 * neither `none` nor a public key that is used as a secret is ever accepted. The only place that
 * imports jose.
 */
import { setTimeout as delay } from 'node:timers/promises';
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  errors,
  type JWTPayload,
  jwtVerify,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
} from 'jose';
import type { Configuration } from '../config.js';
import { messageOf } from '../error-message.js';
import { Refusal } from '../errors.js';
import type { Observe } from '../observe.js';
import { ConfigurationError } from '../option.js';
import type { Counts } from './counts.js';
import { type Grants, readGrants } from './grants.js';
import { createPrincipal, type Principal } from './principal.js';
import { ASYMMETRIC, readTokenKey } from './token-key-file.js';

export interface TokenVerifier {
  /** Resolves to the principal of a token; rejects with a `Refusal`. */
  verify(token: string): Promise<Principal>;
  /** Before the next token is verified, fetched keys are fetched again. */
  renew(): void;
}

/** After this time a token is verified again, so that a withdrawn key of a JWKS takes effect. */
const TRUSTED_MS = 300_000;
const JWKS_TIMEOUT_MS = 5000;
/** After this time the JWKS is fetched again. */
const JWKS_FRESH_MS = 600_000;
/** How long a JWKS is used if fetching it again fails. */
const JWKS_USABLE_MS = 86_400_000;
/** How long tokens wait for it while the last one can be used. */
const PATIENCE_MS = 500;
/** How long after fetching the JWKS an unknown key, or a failure, may cause another fetch. */
const JWKS_COOLDOWN_MS = 10_000;
/** The same after a failure without a JWKS that can be used. */
const JWKS_RETRY_MS = 1000;

/** Returns undefined if no key is configured. Throws if a setting or the key file is invalid. */
export function tokenVerifier(
  configuration: Configuration,
  observe: Observe,
  countsOf: (name: string) => Counts,
): TokenVerifier | undefined {
  const keys = keysOf(configuration, observe);
  if (!keys) return undefined;
  const { jwtIssuer, jwtAudience, jwtClaim, jwtClockSkewMs: skewMs } = configuration;
  const options: JWTVerifyOptions = {
    algorithms: [...keys.algorithms],
    clockTolerance: skewMs / 1000,
    requiredClaims: ['exp', 'sub'],
    ...(jwtIssuer !== undefined && { issuer: jwtIssuer }),
    ...(jwtAudience !== undefined && { audience: jwtAudience }),
  };
  const verify = async (token: string): Promise<Principal> => {
    const payload = await keys.verify(token, options).catch((cause: unknown) => {
      const refusal = refusalOf(cause);
      const isKnown =
        cause instanceof KeysUnavailable || refusal.problem.code === 'unauthenticated';
      if (!isKnown) observe({ kind: 'jwks-unavailable', cause });
      throw refusal;
    });
    const { sub, exp = 0 } = payload;
    // The type in the library's declarations is not checked.
    if (typeof sub !== 'string' || sub === '') throw new Refusal('unauthenticated', NO_SUBJECT);
    const trustedUntil = Math.min(exp * 1000 + skewMs, Date.now() + TRUSTED_MS);
    const grants = withClaims(grantsIn(payload, jwtClaim), payload);
    const name = `token:${sub}`;
    const distinct = grants.settings ? lastingClaims(payload) : payload.iss;
    return createPrincipal({ name, counts: countsOf(name), trustedUntil }, grants, distinct);
  };
  return { verify, renew: () => keys.renew?.() };
}

const NO_SUBJECT = 'The token has no subject: a string in the claim "sub".';

interface TokenKeys {
  readonly algorithms: readonly string[];
  verify(token: string, options: JWTVerifyOptions): Promise<JWTPayload>;
  /** Fetches the keys again before the next token is verified. */
  renew?(): void;
}

function keysOf(
  { jwtKeyFile, jwtJwksUrl, ...others }: Configuration,
  observe: Observe,
): TokenKeys | undefined {
  if (jwtKeyFile !== undefined && jwtJwksUrl !== undefined) {
    throw new ConfigurationError('--jwt-key-file and --jwt-jwks-url cannot be used together');
  }
  if (jwtJwksUrl !== undefined) {
    const { find, renew } = fetchedKeys(new URL(jwtJwksUrl), observe);
    return { ...keysFrom(ASYMMETRIC, find), renew };
  }
  if (jwtKeyFile !== undefined) return keysOfFile(jwtKeyFile);
  if (others.jwtIssuer === undefined && others.jwtAudience === undefined) return undefined;
  throw new ConfigurationError(
    '--jwt-issuer and --jwt-audience need --jwt-key-file or --jwt-jwks-url',
  );
}

function keysOfFile(path: string): TokenKeys {
  const read = readTokenKey(path);
  switch (read.kind) {
    case 'key-set':
      return keysFrom(read.algorithms, createLocalJWKSet({ keys: [...read.keys] }));
    case 'public-key':
      return keysFrom(read.algorithms, () => read.key);
    case 'secret':
      return keysFrom(read.algorithms, () => read.bytes);
  }
}

function keysFrom(algorithms: readonly string[], find: JWTVerifyGetKey): TokenKeys {
  return {
    algorithms,
    verify: async (token, options) => {
      try {
        return (await jwtVerify(token, find, options)).payload;
      } catch (error) {
        if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
        return verifyByAny(error, token, options);
      }
    },
  };
}

/** Verifies a token that does not say which of several keys has signed it. */
async function verifyByAny(
  keys: errors.JWKSMultipleMatchingKeys,
  token: string,
  options: JWTVerifyOptions,
): Promise<JWTPayload> {
  for await (const key of keys) {
    try {
      return (await jwtVerify(token, key, options)).payload;
    } catch (error) {
      const isUnusable = error instanceof TypeError;
      if (!isUnusable && !(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
    }
  }
  throw new errors.JWSSignatureVerificationFailed();
}

/** No usable JWKS could be fetched, which was observed already. */
class KeysUnavailable extends Error {}

/**
 * A JWKS that is fetched. While it is fetched again, and if that fails, the one that was fetched last stays in use, for
 * at most a day. After `renew`, tokens wait until it has been fetched again. Each failed fetch is observed once.
 */
function fetchedKeys(url: URL, observe: Observe) {
  const remote = createRemoteJWKSet(url, {
    timeoutDuration: JWKS_TIMEOUT_MS,
    // It never fetches by itself: after a failure, it would do so for each token.
    cooldownDuration: Infinity,
    cacheMaxAge: JWKS_USABLE_MS,
  });
  let fetchAt = 0;
  let fetchedAt = -Infinity;
  let mustWait = false;
  let fetching: Promise<void> | undefined;
  /** Why the last fetch failed; undefined if it did not. */
  let failure: KeysUnavailable | undefined;
  const fetchAgain = async () => {
    try {
      await remote.reload();
      fetchedAt = Date.now();
      fetchAt = fetchedAt + JWKS_FRESH_MS;
      failure = undefined;
    } catch (cause) {
      fetchAt = Date.now() + (remote.fresh ? JWKS_COOLDOWN_MS : JWKS_RETRY_MS);
      failure = new KeysUnavailable('The JWKS cannot be fetched.', { cause });
      observe({ kind: 'jwks-unavailable', cause });
    } finally {
      mustWait = false;
      fetching = undefined;
    }
  };
  const find: JWTVerifyGetKey = async (header, token) => {
    if (Date.now() >= fetchAt) {
      fetching ??= fetchAgain();
      const isUsable = remote.fresh && !mustWait;
      await (isUsable ? Promise.race([fetching, delay(PATIENCE_MS)]) : fetching);
    }
    if (failure && !remote.fresh) throw failure;
    try {
      return await remote(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      // Perhaps the issuer has this key by now.
      const isDue = !failure && Date.now() >= fetchedAt + JWKS_COOLDOWN_MS;
      if (isDue) fetching ??= fetchAgain();
      await fetching;
      if (failure) throw failure;
      return remote(header, token);
    }
  };
  const renew = () => {
    fetchAt = 0;
    mustWait = true;
  };
  return { find, renew };
}

function grantsIn(payload: JWTPayload, claim: string) {
  const value = payload[claim];
  if (value === undefined) {
    throw new Refusal(
      'forbidden',
      `The token has no claim '${claim}', which contains its permissions.`,
    );
  }
  try {
    return readGrants(value);
  } catch (cause) {
    const why = messageOf(cause);
    const end = why.endsWith('?') ? '' : '.';
    throw new Refusal('forbidden', `The claim '${claim}' of the token is invalid: ${why}${end}`);
  }
}

/** Adds the claims to the settings, under the name that PostgREST uses, for policies of PostgreSQL. */
function withClaims(grants: Grants, payload: JWTPayload): Grants {
  if (!grants.settings) return grants;
  const claims = JSON.stringify(payload);
  return { ...grants, settings: { 'request.jwt.claims': claims, ...grants.settings } };
}

/** The claims that stay the same when a token is renewed. */
function lastingClaims(payload: JWTPayload): object {
  return Object.fromEntries(Object.entries(payload).filter(([name]) => !PASSING.has(name)));
}

const PASSING: ReadonlySet<string> = new Set(['exp', 'nbf', 'iat', 'jti', 'auth_time']);

/** The refusal that a client gets. If keys cannot be fetched, that is not the client's fault. */
function refusalOf(cause: unknown): Refusal {
  if (!(cause instanceof errors.JOSEError) || UNAVAILABLE.has(cause.code)) {
    return new Refusal('keys-unavailable', 'The keys that verify tokens cannot be fetched.');
  }
  if (cause instanceof errors.JWTExpired) {
    return new Refusal('unauthenticated', 'The token has expired.');
  }
  if (cause instanceof errors.JWTClaimValidationFailed) {
    const detail = `The claim '${cause.claim}' of the token is missing or not accepted.`;
    return new Refusal('unauthenticated', detail);
  }
  return new Refusal('unauthenticated', 'The token is not valid.');
}

const UNAVAILABLE: ReadonlySet<string> = new Set([
  errors.JOSEError.code,
  errors.JWKSInvalid.code,
  errors.JWKSTimeout.code,
]);
