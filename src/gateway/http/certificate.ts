/** The certificate of a server that speaks TLS. */
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';

/** Where it is, in PEM. */
export interface CertificateFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

/** Reads certificate and key; throws a sentence where they cannot be used, or do not fit each other. */
export function readCertificate({ certFile, keyFile }: CertificateFiles) {
  try {
    const pair = { cert: readFileSync(certFile), key: readFileSync(keyFile) };
    createSecureContext(pair);
    return pair;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    const message = `The certificate ${certFile} with the key ${keyFile} cannot be used: ${why}`;
    throw new Error(message, { cause });
  }
}
