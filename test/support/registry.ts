/** A registry of npm on loopback: it serves the installed packages, and archives that `npm pack` has made. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

/** uWebSockets.js contains 250 MB of binaries, of which a system loads this one. */
const OWN_BINARY = `uws_${process.platform}_${process.arch}_${process.versions.modules}.node`;
const BINARY = /^uws_.*\.node$/;

const repository = fileURLToPath(new URL('../..', import.meta.url));

interface Manifest {
  readonly name: string;
  readonly version: string;
}

interface Served {
  readonly manifest: Manifest;
  readonly archive: () => Readable;
}

export interface Registry {
  readonly url: string;
  stop(): Promise<void>;
}

export async function startRegistry(archives: readonly string[]): Promise<Registry> {
  const packed = await Promise.all(archives.map(packedPackage));
  const served = [...installedFolders().map(installedPackage), ...packed];
  const server = createServer((request, response) => {
    const [name = '', version] = decodeURIComponent(request.url ?? '')
      .slice(1)
      .split('/-/');
    const found = served.filter(({ manifest }) => manifest.name === name);
    const chosen = found.find(({ manifest }) => manifest.version === version);
    if (chosen) chosen.archive().pipe(response);
    else if (found.length > 0 && version === undefined) {
      const base = `http://${request.headers.host ?? ''}/${name}/-`;
      response.end(JSON.stringify(describe(found, base)));
    } else response.writeHead(404).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** What the registry says about a package: its versions, of which the last one is the latest. */
function describe(found: readonly Served[], base: string): unknown {
  const versions = found.map(({ manifest }) => [
    manifest.version,
    { ...manifest, dist: { tarball: `${base}/${manifest.version}` } },
  ]);
  const latest = found.at(-1)?.manifest.version;
  return {
    name: found[0]?.manifest.name,
    'dist-tags': { latest },
    versions: Object.fromEntries(versions),
  };
}

/** The installed packages: those of other platforms are not among them. */
function installedFolders(): readonly string[] {
  const list = readFileSync(join(repository, 'node_modules/.package-lock.json'), 'utf8');
  const { packages } = JSON.parse(list) as { readonly packages: Readonly<Record<string, unknown>> };
  return Object.keys(packages).map((path) => join(repository, path));
}

function installedPackage(folder: string): Served {
  // Packages inside of it are packages of their own. npm installs archives that are not compressed, too.
  const words = ['-cf', '-', '--exclude=./node_modules'];
  for (const name of readdirSync(folder)) {
    if (BINARY.test(name) && name !== OWN_BINARY) words.push(`--exclude=./${name}`);
  }
  return {
    manifest: JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')),
    archive: () =>
      spawn('tar', [...words, '--transform=s,^[.],package,', '-C', folder, '.']).stdout,
  };
}

async function packedPackage(file: string): Promise<Served> {
  let text = '';
  for await (const bytes of spawn('tar', ['-xzOf', file, 'package/package.json']).stdout) {
    text += String(bytes);
  }
  return { manifest: JSON.parse(text), archive: () => createReadStream(file) };
}
