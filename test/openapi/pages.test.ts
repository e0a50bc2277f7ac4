/** The pages `/` and `/docs`, on both HTTP servers. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeServers } from '../support/http-servers.js';
import { ask, type Program } from '../support/program.js';
import { type SampleServer, startSampleServer } from '../support/sample-program.js';

const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

let server: SampleServer;
beforeAll(async () => {
  server = await startSampleServer();
});
afterAll(() => server.stop());

describeServers('on %s,', (http) => {
  let program: Program;
  beforeAll(async () => {
    program = await server.start(['--http-server', http]);
  });
  afterAll(async () => {
    await program.stop();
  });

  test('browsers get a page with links at /, and other clients the 404 as before', async () => {
    const page = await ask(program, '/', { headers: BROWSER });
    expect(page.status).toBe(200);
    expect(linksIn(page.text)).toEqual([
      ...['docs/docs.css', 'console', 'docs', 'openapi.json', 'metrics', 'stats?format=beautiful'],
    ]);
    for (const accept of ['application/json', '*/*', 'text/html;q=0']) {
      const { status, headers, json } = await ask(program, '/', { headers: { accept } });
      expect([status, json()]).toMatchObject([404, { code: 'not-found' }]);
      expect(headers.get('vary')).toContain('accept');
    }
  });

  test.each(['/docs', '/docs/'])('%s loads only its own files', async (path) => {
    const page = await ask(program, path, { headers: BROWSER });
    expect([page.status, page.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
    expect(page.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'self'/,
    );
    expect(page.headers.get('content-security-policy')).not.toContain('unsafe');
    expect(page.headers.get('x-content-type-options')).toBe('nosniff');
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    expect(page.text).not.toMatch(/https?:|style=|<style|onclick|<script>/);
    const types = [];
    for (const link of linksIn(page.text)) {
      const { pathname } = new URL(link, `http://x${path}`);
      const { status, headers } = await ask(program, pathname);
      types.push([status, headers.get('content-type')]);
    }
    expect(types).toEqual([
      [200, 'text/css; charset=utf-8'],
      [200, 'text/javascript; charset=utf-8'],
      [200, 'application/json; charset=utf-8'],
    ]);
  });

  test('other files of the page do not exist', async () => {
    for (const name of ['docs.ts', '..%2Fdocs.js', 'x']) {
      expect((await ask(program, `/docs/${name}`)).status).toBe(404);
    }
  });
});

/** The addresses in a page, in order. */
function linksIn(page: string): readonly string[] {
  return [...page.matchAll(/(?:href|src)="([^"]*)"/g)]
    .map(([, link = '']) => link)
    .filter((link) => link !== 'data:,');
}
