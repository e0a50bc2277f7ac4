/** The commands of `rowgate`, in the order of its help. Each is loaded when it is chosen. */
import type { CommandEntry } from './command.js';

export const commands: readonly CommandEntry[] = [
  {
    name: 'serve',
    summary: 'serves a domain over HTTP, or an existing database',
    load: async () => (await import('./serve.js')).serve,
  },
  {
    name: 'push',
    summary: 'creates the tables, columns, keys and indexes that are missing',
    load: async () => (await import('./push-drop.js')).push,
  },
  {
    name: 'drop',
    summary: 'removes the tables of the schema with all their rows',
    load: async () => (await import('./push-drop.js')).drop,
  },
  {
    name: 'check',
    summary: 'validates the schema file and prints the effective configuration',
    load: async () => (await import('./check.js')).check,
  },
  {
    name: 'plan',
    summary: 'prints the SQL statements of an expression',
    load: async () => (await import('./query.js')).plan,
  },
  {
    name: 'query',
    summary: 'prints the rows of an expression, as a table on a terminal',
    load: async () => (await import('./query.js')).query,
  },
  {
    name: 'import',
    summary:
      'stores the rows of a file, all or none: {"entities": [{"entity": "Orders", "rows": [{…}]}]}, as export writes it',
    load: async () => (await import('./transfer.js')).importRows,
  },
  {
    name: 'export',
    summary: 'writes the rows of a stage to a file or standard output',
    load: async () => (await import('./transfer.js')).exportRows,
  },
  {
    name: 'introspect',
    summary: 'writes a schema file for the tables of a database',
    load: async () => (await import('./introspect.js')).introspect,
  },
  {
    name: 'diff',
    summary: 'compares the schema file with the tables, and exits with 1 if they differ',
    load: async () => (await import('./diff.js')).diff,
  },
  {
    name: 'types',
    summary: "writes the domain's types for @rowgate/client",
    load: async () => (await import('./types.js')).types,
  },
  {
    name: 'keys',
    summary: 'adds, lists and revokes the API keys of a file: add NAME, list, revoke NAME',
    load: async () => (await import('./keys.js')).keys,
  },
  {
    name: 'allow',
    summary: 'allows only the queries in a file (one per line) or a folder (one per file)',
    load: async () => (await import('./allow.js')).allow,
  },
  {
    name: 'console',
    summary: 'executes queries as they are typed, with completion and a history',
    load: async () => (await import('./console.js')).consoleCommand,
  },
  {
    name: 'bench',
    summary: 'sends requests to a gateway, and shows their rate and latencies',
    load: async () => (await import('./bench.js')).bench,
  },
  {
    name: 'slim',
    summary:
      'removes the binaries of other platforms and versions of Node.js from a node_modules folder',
    load: async () => (await import('./slim.js')).slim,
  },
  {
    name: 'completion',
    summary: 'prints a script that completes commands and flags: bash, zsh or fish',
    load: async () => (await import('./completion.js')).completion(commands),
  },
];
