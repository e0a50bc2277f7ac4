/** Reads the TLS certificate of a server. */
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import type { Configuration } from '../config.js';
import { unusable } from '../error-message.js';
import { ConfigurationError } from '../option.js';

/** The paths of the certificate and its key, in PEM. */
export interface CertificateFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

/** The files in the configuration. Throws a ConfigurationError if one of them is missing. */
export function certificateOf({
  tlsCert,
  tlsKey,
}: Pick<Configuration, 'tlsCert' | 'tlsKey'>): CertificateFiles | undefined {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert !== undefined && tlsKey !== undefined) return { certFile: tlsCert, keyFile: tlsKey };
  throw new ConfigurationError('--tls-cert and --tls-key belong together');
}

/** Reads the certificate and its key. Throws if they cannot be used or do not match. */
export function readCertificate({ certFile, keyFile }: CertificateFiles) {
  try {
    const pair = { cert: readFileSync(certFile), key: readFileSync(keyFile) };
    createSecureContext(pair);
    return pair;
  } catch (cause) {
    throw unusable(`The certificate ${certFile} with the key ${keyFile}`, cause);
  }
}
