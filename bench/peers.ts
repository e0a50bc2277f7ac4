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

/** What PostGraphile asks for. */
const NODE_MAJOR_MIN = 22;
const NODE_PACKAGE = `node-${process.platform}-${process.arch}`;

export function isPeer(name: Participant): name is PeerName {
  return PEERS.some((peer) => peer === name);
}

export function arePeersInstalled(): boolean {
  return [...PACKAGES.map(manifestOf), postgraphileNode()].every((path) => existsSync(path));
}

/** The path of a peer's server. */
export function peerServer(name: PeerName): string {
  return inPeers(`${name}.mjs`);
}

/** The Node that PostGraphile runs on: this one where it is new enough, else that of `bench/peers`. */
export function postgraphileNode(): string {
  if (Number.parseInt(process.versions.node, 10) >= NODE_MAJOR_MIN) return process.execPath;
  return inPeers(`node_modules/${NODE_PACKAGE}/bin/node`);
}

/** Names and versions of what is installed, in one line. */
export function peerVersions(): string {
  const isNodeOurs = postgraphileNode() === process.execPath;
  const versions = PACKAGES.map((name) => `${name} ${versionOf(name)}`).join(', ');
  return isNodeOurs ? versions : `${versions} on node v${versionOf(NODE_PACKAGE)}`;
}

function versionOf(name: string): string {
  const { version }: { version: string } = JSON.parse(readFileSync(manifestOf(name), 'utf8'));
  return version;
}

function manifestOf(name: string): string {
  return inPeers(`node_modules/${name}/package.json`);
}

/** The build leaves `bench/peers` where it is. */
function inPeers(path: string): string {
  return fileURLToPath(new URL(`../bench/peers/${path}`, import.meta.url));
}
