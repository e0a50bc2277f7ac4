/** The program with a database for the suites that send requests to it. */
import { rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { parse } from 'yaml';
import { loadSchema } from '../../src/engine/index.js';
import { push } from '../../src/workers/tasks/ddl.js';
import { type OwnDatabase, useOwnMariadb, useOwnPostgresql } from '../introspect/own-database.js';
import { makeTemporaryDirectory } from '../support/embedded.js';
import type { ServerName } from '../support/http-servers.js';
import { describeMariadb } from '../support/mariadb.js';
import { type Program, rowsOf, startProgram } from '../support/program.js';

/** The types of the properties of `Values`. */
export const valueTypes = [
  ...['integer', 'bigint', 'decimal', 'number', 'string', 'boolean', 'dateTime', 'date', 'time'],
  ...['json', 'uuid', 'binary', 'interval', 'inet', 'xml', 'any'],
  ...['integer[]', 'decimal[]', 'number[]', 'string[]', 'boolean[]', 'dateTime[]', 'uuid[]'],
] as const;
export type ValueType = (typeof valueTypes)[number];

/** The name of the property of a type. */
export const propertyOf = (type: ValueType): string => `v_${type.replace('[]', '_list')}`;

const { domain } = parse(`
domain:
  version: 1.0.0
  entities:
    - name: Notes
      primaryKey: [id]
      properties: [{ name: id, type: integer, autoIncrement: true }, { name: mark, required: true }]
      relations: [{ name: parts, type: manyToOne, from: id, entity: Parts, to: noteId }]
    - name: Parts
      primaryKey: [noteId, number]
      properties: [{ name: noteId, type: integer }, { name: number, type: integer }]
    - name: Points
      primaryKey: [id]
      properties: [{ name: id, type: integer }, { name: name }, { name: size, type: decimal }]
    - name: Values
      primaryKey: [id]
      properties:
        - { name: id, type: integer, autoIncrement: true }
        ${valueTypes.map((type) => `- { name: ${propertyOf(type)}, type: '${type}', length: max }`).join('\n        ')}
`);

const points = Array.from({ length: 20 }, (_, at) => ({
  id: at,
  name: `point ${at}`,
  size: at / 4,
}));

/** A program, for one suite. */
export interface Gateway {
  /** Available after the suite has started. */
  readonly program: Program;
  /** Sends a POST request, and resolves with the answer. Rejects if there is none. */
  post(
    path: string,
    body: string | Buffer,
  ): Promise<{ readonly status: number; readonly text: string }>;
}

/** Declares a suite on PostgreSQL and on MariaDB. */
export function describeDatabases(name: string, suite: (database: OwnDatabase) => void): void {
  describe(`${name} on PostgreSQL`, () => {
    suite(useOwnPostgresql('SELECT 1'));
  });
  describeMariadb(name, () => suite(useOwnMariadb('SELECT 1')));
}

/** Starts a program in front of the database, for the surrounding suite. */
export function useGateway(database: OwnDatabase, server: ServerName): Gateway {
  const folder = makeTemporaryDirectory();
  const agent = new Agent({ keepAlive: true });
  let program: Program | undefined;

  beforeAll(async () => {
    const { dialect, url } = database;
    const document = {
      domain,
      infrastructure: { sources: [{ name: 'main', dialect, connection: url }] },
    };
    const schema = loadSchema(document);
    await push({ schema, dryRun: false, say: () => undefined });
    const path = join(folder, 'schema.json');
    writeFileSync(path, JSON.stringify(document));
    const flags = ['--http-server', server, '--workers', '1', '--compression', 'on'];
    program = await startProgram(['--schema', path, ...flags]);
    await rowsOf(program, 'Points.bulkUpsert()', points);
  });
  afterAll(async () => {
    agent.destroy();
    const code = await program?.stop();
    rmSync(folder, { recursive: true, force: true });
    expect(code).toBe(0);
    // No internal error has been logged.
    expect(program?.log.filter(({ level }) => Number(level) >= 50)).toEqual([]);
  });

  return {
    get program() {
      expect.assert(program);
      return program;
    },
    post: (path, body) => post(agent, program?.port ?? 0, path, body),
  };
}

function post(agent: Agent, port: number, path: string, body: string | Buffer) {
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    };
    const sent = request({ host: '127.0.0.1', port, path, method: 'POST', agent, headers });
    sent.on('error', (error) => {
      // The server may close a connection that is kept.
      if (sent.reusedSocket && /ECONNRESET|EPIPE|hang up/.test(String(error))) {
        resolve(post(agent, port, path, body));
      } else reject(error);
    });
    sent.on('response', (message) => {
      const parts: Buffer[] = [];
      message.on('data', (part: Buffer) => parts.push(part));
      message.on('error', reject);
      message.on('end', () => {
        resolve({ status: message.statusCode ?? 0, text: Buffer.concat(parts).toString() });
      });
    });
    sent.end(body);
  });
}
