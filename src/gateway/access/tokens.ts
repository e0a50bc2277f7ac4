/**
 * Verifies JSON Web Tokens (RFC 7519). The kind of the configured key determines the algorithms, so
 * neither `none` nor a public key that is used as a secret is ever accepted. The only place that
 * imports jose.
 */
import { isUtf8 } from 'node:buffer';
import { createPublicKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  errors,
  type JWK,
  type JWTPayload,
  jwtVerify,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
} from 'jose';
import type { Configuration } from '../config.js';
import { Refusal } from '../errors.js';
import { isObject } from '../http/body.js';
import type { Observe } from '../observe.js';
import { ConfigurationError } from '../option.js';
import type { Counts } from './counts.js';
import { type Grants, readGrants } from './grants.js';
import { createPrincipal, type Principal } from './principal.js';

/** Resolves to the principal of a token; rejects with a `Refusal`. */
export type VerifyToken = (token: string) => Promise<Principal>;

/** After this time a token is verified again, so that a withdrawn key of a JWKS takes effect. */
const TRUSTED_MS = 300_000;
const JWKS_TIMEOUT_MS = 5000;
/** How long after fetching the JWKS an unknown key may cause another fetch. */
const JWKS_COOLDOWN_MS = 10_000;
const SECRET_BYTES_MIN = 32;

const RSA = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'];
const EDWARDS = ['EdDSA', 'Ed25519'];
const ASYMMETRIC = [...RSA, 'ES256', 'ES384', 'ES512', ...EDWARDS];
const SYMMETRIC = ['HS256', 'HS384', 'HS512'];
const CURVES: Readonly<Record<string, string>> = {
  prime256v1: 'ES256',
  secp384r1: 'ES384',
  secp521r1: 'ES512',
};

/**
 * Creates the verifier, or returns undefined if no key is configured. Throws if a setting or the key
 * file is invalid.
 */
export function tokenVerifier(
  configuration: Configuration,
  observe: Observe,
  countsOf: (name: string) => Counts,
): VerifyToken | undefined {
  const keys = keysOf(configuration);
  if (!keys) return undefined;
  const { jwtIssuer, jwtAudience, jwtClaim, jwtClockSkewMs: skewMs } = configuration;
  const options: JWTVerifyOptions = {
    algorithms: [...keys.algorithms],
    clockTolerance: skewMs / 1000,
    requiredClaims: ['exp', 'sub'],
    ...(jwtIssuer !== undefined && { issuer: jwtIssuer }),
    ...(jwtAudience !== undefined && { audience: jwtAudience }),
  };
  return async (token) => {
    const payload = await keys.verify(token, options).catch((cause: unknown) => {
      const refusal = refusalOf(cause);
      if (refusal.problem.code !== 'unauthenticated') observe({ kind: 'jwks-unavailable', cause });
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
}

const NO_SUBJECT = 'The token has no subject: a string in the claim "sub".';

interface TokenKeys {
  readonly algorithms: readonly string[];
  verify(token: string, options: JWTVerifyOptions): Promise<JWTPayload>;
}

function keysOf({ jwtKeyFile, jwtJwksUrl, ...others }: Configuration): TokenKeys | undefined {
  if (jwtKeyFile !== undefined && jwtJwksUrl !== undefined) {
    throw new ConfigurationError('--jwt-key-file and --jwt-jwks-url cannot be used together');
  }
  if (jwtJwksUrl !== undefined) {
    const timing = { timeoutDuration: JWKS_TIMEOUT_MS, cooldownDuration: JWKS_COOLDOWN_MS };
    return keysFrom(ASYMMETRIC, createRemoteJWKSet(new URL(jwtJwksUrl), timing));
  }
  if (jwtKeyFile !== undefined) return readKeyFile(jwtKeyFile);
  if (others.jwtIssuer === undefined && others.jwtAudience === undefined) return undefined;
  throw new ConfigurationError(
    '--jwt-issuer and --jwt-audience need --jwt-key-file or --jwt-jwks-url',
  );
}

/** A JWKS, a public key or a certificate in PEM, or a secret. */
function readKeyFile(path: string): TokenKeys {
  try {
    const bytes = readFileSync(path);
    if (!isUtf8(bytes)) throw new Error('it is not text in UTF-8');
    const text = bytes.toString().trim();
    if (text.startsWith('{')) return readKeySet(JSON.parse(text));
    if (text.startsWith('-----BEGIN')) return readPublicKey(text);
    if (Buffer.byteLength(text) < SECRET_BYTES_MIN) {
      throw new Error(`a secret needs at least ${SECRET_BYTES_MIN} bytes`);
    }
    const secret = new TextEncoder().encode(text);
    return keysFrom(SYMMETRIC, () => secret);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`The key for tokens in ${path} cannot be used: ${why}`, { cause });
  }
}

function readKeySet(content: unknown): TokenKeys {
  const listed: unknown = isObject(content) ? content['keys'] : undefined;
  const keys: readonly unknown[] = Array.isArray(listed) ? listed : [content];
  const publicKeys = keys.filter(isPublicKey);
  if (publicKeys.length < keys.length) throw new Error('a JWKS may contain public keys only');
  return keysFrom(ASYMMETRIC, createLocalJWKSet({ keys: publicKeys }));
}

function isPublicKey(key: unknown): key is JWK {
  return isObject(key) && key['kty'] !== 'oct' && !('d' in key);
}

function keysFrom(algorithms: readonly string[], find: JWTVerifyGetKey): TokenKeys {
  return {
    algorithms,
    verify: async (token, options) => (await jwtVerify(token, find, options)).payload,
  };
}

function readPublicKey(pem: string): TokenKeys {
  if (pem.includes('PRIVATE KEY')) throw new Error('it is a private key');
  const key = createPublicKey(pem);
  return keysFrom(algorithmsOf(key), () => key);
}

function algorithmsOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): readonly string[] {
  if (asymmetricKeyType === 'rsa') return RSA;
  if (asymmetricKeyType === 'ed25519') return EDWARDS;
  const algorithm = CURVES[asymmetricKeyDetails?.namedCurve ?? ''];
  if (algorithm !== undefined) return [algorithm];
  throw new Error(`keys of type ${asymmetricKeyType ?? 'secret'} are not supported`);
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
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Refusal('forbidden', `The claim '${claim}' of the token is invalid: ${why}.`);
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
