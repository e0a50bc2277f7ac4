/** Reads the TLS certificate of a server. */
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { unusable } from '../error-message.js';

/** The paths of the certificate and its key, in PEM. */
export interface CertificateFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

/** The content of these files. */
export interface CertificatePair {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** Reads the certificate and its key. Throws if they cannot be used or do not match. */
export function readCertificate({ certFile, keyFile }: CertificateFiles): CertificatePair {
  try {
    const pair = { cert: readFileSync(certFile), key: readFileSync(keyFile) };
    createSecureContext(pair);
    return pair;
  } catch (cause) {
    throw unusable(`The certificate ${certFile} with the key ${keyFile}`, cause);
  }
}
