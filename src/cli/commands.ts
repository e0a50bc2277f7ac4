/** The commands of `rowgate`, in the order of its help. Each is loaded when it is chosen. */
import type { CommandEntry } from './command.js';

const summaries = [
  ['serve', 'serves a domain over HTTP, or an existing database'],
  ['push', 'creates the tables, columns, keys and indexes that are missing'],
  ['drop', 'removes the tables of the schema with all their rows'],
  ['check', 'validates the schema file and prints the effective configuration'],
  ['plan', 'prints the SQL statements of an expression'],
  ['query', 'prints the rows of an expression, as a table on a terminal'],
  [
    'import',
    'stores the rows of a file, all or none: {"entities": [{"entity": "Orders", "rows": [{…}]}]}, as export writes it',
  ],
  ['export', 'writes the rows of a stage to a file or standard output'],
  ['introspect', 'writes a schema file for the tables of a database'],
  ['diff', 'compares the schema file with the tables, and exits with 1 if they differ'],
  ['types', "writes the domain's types for @rowgate/client"],
  ['keys', 'adds, lists and revokes the API keys of a file: add NAME, list, revoke NAME'],
  ['allow', 'allows only the queries in a file (one per line) or a folder (one per file)'],
  ['console', 'executes queries as they are typed, with completion and a history'],
  ['bench', 'sends requests to a gateway, and shows their rate and latencies'],
  [
    'slim',
    'removes the binaries of other platforms and versions of Node.js from a node_modules folder',
  ],
  ['completion', 'prints a script that completes commands and flags: bash, zsh or fish'],
] as const;

const loaders: Readonly<Record<(typeof summaries)[number][0], CommandEntry['load']>> = {
  serve: async () => (await import('./serve.js')).serve,
  push: async () => (await import('./push-drop.js')).push,
  drop: async () => (await import('./push-drop.js')).drop,
  check: async () => (await import('./check.js')).check,
  plan: async () => (await import('./query.js')).plan,
  query: async () => (await import('./query.js')).query,
  import: async () => (await import('./transfer.js')).importRows,
  export: async () => (await import('./transfer.js')).exportRows,
  introspect: async () => (await import('./introspect.js')).introspect,
  diff: async () => (await import('./diff.js')).diff,
  types: async () => (await import('./types.js')).types,
  keys: async () => (await import('./keys.js')).keys,
  allow: async () => (await import('./allow.js')).allow,
  console: async () => (await import('./console.js')).consoleCommand,
  bench: async () => (await import('./bench.js')).bench,
  slim: async () => (await import('./slim.js')).slim,
  completion: async () => (await import('./completion.js')).completion(commands),
};

export const commands: readonly CommandEntry[] = summaries.map(([name, summary]) => {
  return { name, summary, load: loaders[name] };
});
