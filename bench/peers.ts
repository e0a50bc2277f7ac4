/**
 * The servers in `bench/peers`, which have their own packages: where they are, and whether they are
 * installed.
 */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { PeerName } from './cases/case.js';
import type { Participant } from './measure/figure.js';

export const PEERS: readonly PeerName[] = ['lambdaorm-express', 'postgraphile'];

/** The message if they are requested, but not installed. */
export const INSTALL_PEERS = 'The peers are not installed: npm --prefix bench/peers ci';

/** The packages whose versions are reported with the figures. */
const PACKAGES = ['lambdaorm', 'express', 'postgraphile'];

/** The version of Node that PostGraphile needs. */
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

/** The Node for PostGraphile: this one if it is new enough, otherwise that of `bench/peers`. */
export function postgraphileNode(): string {
  if (Number.parseInt(process.versions.node, 10) >= NODE_MAJOR_MIN) return process.execPath;
  return inPeers(`node_modules/${NODE_PACKAGE}/bin/node`);
}

/** The names and versions of the installed packages, on one line. */
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

/** The build does not copy `bench/peers`. */
function inPeers(path: string): string {
  return fileURLToPath(new URL(`../bench/peers/${path}`, import.meta.url));
}
