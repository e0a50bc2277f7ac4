import { describe, expect, it } from 'vitest';
import { createRouter } from '../../src/gateway/http/router.js';

const route = createRouter<string>([
  ['GET', '/a', 'a'],
  ['POST', '/a', 'post a'],
  ['GET', '/a/{name}', 'named'],
  ['GET', '/a/{name}/b', 'named b'],
]);

describe('the router', () => {
  it.each([
    ['GET', '/a', 'a', []],
    ['HEAD', '/a', 'a', []],
    ['POST', '/a', 'post a', []],
    ['GET', '/a/', 'a', []],
    ['GET', '/%61', 'a', []],
    ['GET', '/a/x.y', 'named', ['x.y']],
    ['GET', '/a/x/', 'named', ['x']],
    ['GET', '/a/%C3%A9%2Fx', 'named', ['é/x']],
    ['GET', '/a/a%20b/b', 'named b', ['a b']],
    ['GET', '/a/b/b', 'named b', ['b']],
  ])('finds %s %s', (method, path, handler, parameters) => {
    expect(route(method, path)).toEqual({ kind: 'found', handler, parameters });
  });

  it.each(['', '/', '//', '/a//', '/a//b', '/b', '/a/x/c', '/a/x/b/c', '/A'])(
    'finds nothing at %j',
    (path) => {
      expect(route('GET', path)).toEqual({ kind: 'notFound' });
    },
  );

  it.each(['/a/%', '/a/%zz', '/a/%c3%28', '/%'])('calls %s malformed', (path) => {
    expect(route('GET', path)).toEqual({ kind: 'malformed' });
  });

  it('lists the methods of a path that does not have the requested one', () => {
    expect(route('PUT', '/a')).toEqual({
      kind: 'methodNotAllowed',
      allow: 'GET, HEAD, POST, OPTIONS',
    });
    expect(route('get', '/a')).toMatchObject({ kind: 'methodNotAllowed' });
  });
});
