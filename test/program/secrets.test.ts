/**
 * Encryption keys and encrypted values appear nowhere: not in an answer, the log, or the output of a
 * command.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import pg from 'pg';
import { type Program, runCommand, startProgram } from '../support/program.js';
import { type SampleServer, startSampleServer } from '../support/sample-program.js';

const SECRET = 'a passphrase: Schlüssel, never shown';
const PLAIN = 'hidden.person@example.org';

const schema = `
domain:
  version: 1.0.0
  entities:
    - name: People
      primaryKey: [id]
      properties:
        - { name: id, type: integer, autoIncrement: true }
        - { name: name, required: true }
        - name: email
          length: 200
          writeValue: 'encrypt(lower(email), "\${PEOPLE_KEY}")'
          readValue: 'decrypt(email, "\${PEOPLE_KEY}")'
        - { name: token, length: 200, default: 'encrypt(name, "\${PEOPLE_KEY}")' }
      constraints:
        - { message: No token of nobody, condition: 'decrypt(token, "\${PEOPLE_KEY}") != "nobody"' }
infrastructure:
  mappings: [{ name: default }]
  sources: [{ name: main, dialect: PostgreSQL, mapping: default, connection: $DATABASE_URL }]
  stages: [{ name: default, sources: [{ name: main }] }]
application:
  listeners:
    - { name: decrypts, on: [delete], before: 'decrypt(data.token, "\${PEOPLE_KEY}") != ""' }
`;

let server: SampleServer;
let program: Program;
let file: string;
let environment: Readonly<Record<string, string>>;
const output: string[] = [];

beforeAll(async () => {
  server = await startSampleServer();
  file = server.write('people.yaml', schema);
  environment = { DATABASE_URL: server.url, PEOPLE_KEY: SECRET };
  const pushed = await runCommand(['push', '--schema', file], environment);
  output.push(pushed.stdout, pushed.stderr);
  program = await startProgram(['--workers', '1', '--schema', file], environment);
});
afterAll(async () => {
  await program.stop();
  await server.stop();
});

async function ask(path: string, body?: unknown): Promise<string> {
  const response = await fetch(`${program.base}${path}`, {
    ...(body !== undefined && {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  });
  const text = await response.text();
  output.push(text, JSON.stringify([...response.headers]));
  return text;
}

test('the key and the plain text do not appear in any answer, log or output', async () => {
  const data = { name: 'Nils', email: PLAIN };
  const inserted = JSON.parse(await ask('/execute', { query: 'People.insert()', data }));
  expect(inserted).toMatchObject({ id: 1, name: 'Nils', email: PLAIN });
  // This answer may contain the plain text.
  output.splice(-2);
  const client = new pg.Client(server.connection);
  await client.connect();
  const { rows } = await client.query('SELECT email, token FROM people');
  expect(rows[0].email).toMatch(/^v1:/);
  expect(rows[0].token).toMatch(/^v1:/);
  await client.query(`UPDATE people SET email = overlay(email placing 'AAAA' from 12)`);
  await client.end();
  expect(await ask('/execute', { query: 'People' })).toContain('value-unreadable');
  for (const query of [
    'People',
    'People.insert()',
    'People.update({email: e}).filter(p=>p.id==1)',
  ]) {
    for (const what of ['plan', 'metadata', 'model', 'parameters', 'constraints']) {
      await ask(`/${what}`, { query });
    }
  }
  const refused = { name: 'nobody', email: null };
  expect(await ask('/execute', { query: 'People.insert()', data: refused })).toContain('No token');
  await ask('/execute', { query: 'People.delete()', data: { id: 1, token: 'v1:AAAA' } });
  await ask('/execute', { query: 'People.filter(p=>p.email==e)', data: { e: 'x' } });
  for (const path of ['/schema', '/domain', '/entities', '/entities/People', '/mappings']) {
    await ask(path);
  }
  for (const path of ['/mappings/default', '/views', '/stages', '/sources', '/metrics']) {
    await ask(path);
  }
  await ask('/stages/default/export');
  const check = await runCommand(['check', '--schema', file], environment);
  expect(check.code).toBe(0);
  const wrong = server.write('wrong.yaml', schema.replaceAll('encrypt(', 'encrypted('));
  const refusal = await runCommand(['check', '--schema', wrong], environment);
  expect(refusal.code).toBe(1);
  output.push(check.stdout, check.stderr, refusal.stdout, refusal.stderr);
  output.push(program.log.map((line) => JSON.stringify(line)).join('\n'));
  expect(output.length).toBeGreaterThan(60);
  for (const text of output) {
    expect(text).not.toContain(SECRET);
    expect(text).not.toContain(PLAIN);
  }
});
