/**
 * The contestants with packages of their own, in `bench/peers`: where they are, and whether somebody
 * has installed them.
 */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { PeerName } from './cases/case.js';
import type { Participant } from './measure/figure.js';

export const PEERS: readonly PeerName[] = ['lambdaorm-express', 'postgraphile'];

/** What to tell when they are asked for and not there. */
export const INSTALL_PEERS = 'The peers are not installed: npm --prefix bench/peers ci';

/** The packages whose versions are told with the figures. */
const PACKAGES = ['lambdaorm', 'express', 'postgraphile'];

export function isPeer(name: Participant): name is PeerName {
  return PEERS.some((peer) => peer === name);
}

export function arePeersInstalled(): boolean {
  return PACKAGES.every((name) => existsSync(manifestOf(name)));
}

/** The path of a peer's server. */
export function peerProgram(name: PeerName): string {
  return inPeers(`${name}.mjs`);
}

/** Names and versions of what is installed, in one line. */
export function peerVersions(): string {
  return PACKAGES.map((name) => {
    const { version }: { version: string } = JSON.parse(readFileSync(manifestOf(name), 'utf8'));
    return `${name} ${version}`;
  }).join(', ');
}

function manifestOf(name: string): string {
  return inPeers(`node_modules/${name}/package.json`);
}

/** The build leaves `bench/peers` where it is. */
function inPeers(path: string): string {
  return fileURLToPath(new URL(`../bench/peers/${path}`, import.meta.url));
}
