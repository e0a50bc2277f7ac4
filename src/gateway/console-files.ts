/** The files of the console, which `npm run build` writes, and the headers that they are sent with. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { entityTagOf } from './entity-tag.js';
import type { Header } from './http/exchange.js';
import { NO_SNIFFING, PAGE_HEADERS } from './page-headers.js';

export interface ConsoleFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The same bytes, compressed; undefined if compression makes the file no smaller. */
  readonly gzip: Uint8Array<ArrayBuffer> | undefined;
  readonly tag: string;
  readonly headers: readonly Header[];
}

export interface ConsoleFiles {
  /** The page at `/console/`, with addresses relative to that folder. */
  readonly page: ConsoleFile;
  /** The same page at `/console`, with addresses relative to the folder above. */
  readonly pageOutside: ConsoleFile;
  /** The files that the page loads, by name. */
  readonly assets: ReadonlyMap<string, ConsoleFile>;
}

/** Reads the files; undefined if the console has not been built. */
export function readConsoleFiles(folder: URL | undefined): ConsoleFiles | undefined {
  if (folder === undefined || !existsSync(new URL(PAGE, folder))) return undefined;
  const assets = readdirSync(folder).flatMap((name) => {
    const type = contentTypes.get(extname(name));
    return type === undefined ? [] : [[name, readAsset(name, folder, type)] as const];
  });
  const page = readFileSync(new URL(PAGE, folder), 'utf8');
  return {
    page: pageOf(page),
    pageOutside: pageOf(page.replaceAll(/(src|href)="\.\//g, '$1="./console/')),
    assets: new Map(assets),
  };
}

const PAGE = 'index.html';

const contentTypes: ReadonlyMap<string, string> = new Map([
  ['.css', 'text/css; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
]);

function pageOf(text: string): ConsoleFile {
  const headers: Header[] = [['content-type', 'text/html; charset=utf-8'], ...PAGE_HEADERS];
  const bytes = Buffer.from(text);
  return { bytes, gzip: undefined, tag: entityTagOf(bytes), headers };
}

/** The name of an asset contains a hash of its content, so a stored copy stays valid. */
function readAsset(name: string, folder: URL, type: string): ConsoleFile {
  const bytes = readFileSync(new URL(name, folder));
  const compressed = new URL(`${name}.gz`, folder);
  const headers: Header[] = [
    ['content-type', type],
    ['cache-control', 'public, max-age=31536000, immutable'],
    NO_SNIFFING,
  ];
  const gzip = existsSync(compressed) ? readFileSync(compressed) : undefined;
  return { bytes, gzip, tag: entityTagOf(bytes), headers };
}
