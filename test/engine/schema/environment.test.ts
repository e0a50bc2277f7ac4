import { describe, expect, it } from 'vitest';
import { substitute } from '../../../src/engine/schema/environment.js';

const environment = { HOST: 'db', PORT: '5432', EMPTY: '', TRICKY: '$HOST $& \\1' };

/** A document with `text` in a place where variables must be set. */
function inSources(text: unknown): unknown {
  return { infrastructure: { sources: [{ name: 'default', connection: text }] } };
}

const replaced = [
  { comment: 'a bare variable', text: '$HOST', result: 'db' },
  { comment: 'a variable in braces', text: '${HOST}', result: 'db' },
  {
    comment: 'variables among other text',
    text: 'postgresql://$HOST:${PORT}/x',
    result: 'postgresql://db:5432/x',
  },
  { comment: 'a variable that is set to nothing', text: '[${EMPTY}]', result: '[]' },
  { comment: 'a default of a variable that is not set', text: '${USER:-me}', result: 'me' },
  { comment: 'an empty default', text: '[${USER:-}]', result: '[]' },
  { comment: 'a default of a variable that is set', text: '${HOST:-other}', result: 'db' },
  {
    comment: 'a default of a variable that is set to nothing',
    text: '[${EMPTY:-other}]',
    result: '[]',
  },
  { comment: 'a value that looks like a variable', text: '$TRICKY', result: '$HOST $& \\1' },
  { comment: 'an unclosed brace', text: '${HOST $PORT', result: '${HOST 5432' },
  { comment: 'an unclosed default', text: '${PORT}${HOST:-a', result: '5432${HOST:-a' },
  { comment: 'a dollar without a name', text: 'a$ $5 ${} $', result: 'a$ $5 ${} $' },
];

describe('variables in the infrastructure', () => {
  for (const { comment, text, result } of replaced) {
    it(`are replaced: ${comment}`, () => {
      expect(substitute(inSources(text), environment)).toEqual(inSources(result));
    });
  }

  it('are replaced in nested members and lists, without changing values of other types', () => {
    expect(
      substitute(
        inSources({ host: '$HOST', port: 1, ssl: null, list: ['$PORT', true] }),
        environment,
      ),
    ).toEqual(inSources({ host: 'db', port: 1, ssl: null, list: ['5432', true] }));
  });

  it('are errors with their names and places if they are not set', () => {
    expect(() =>
      substitute(inSources({ host: '$NOBODY', user: 'a${NOONE}' }), environment),
    ).toThrow(
      [
        'The schema has 2 errors.',
        "infrastructure.sources[0].connection.host: The variable 'NOBODY' is not set. Set NOBODY, or write ${NOBODY:-text} to give it a default.",
        "infrastructure.sources[0].connection.user: The variable 'NOONE' is not set. Set NOONE, or write ${NOONE:-text} to give it a default.",
      ].join('\n'),
    );
  });

  it('are never members that every object has', () => {
    expect(() => substitute(inSources('$constructor'), environment)).toThrow(
      "The variable 'constructor' is not set.",
    );
  });

  it('need not be set where the file is not read', () => {
    const document = {
      infrastructure: { service: { host: '$NOBODY', port: '${PORT}' } },
      paths: '$NOBODY',
    };
    expect(substitute(document, environment)).toEqual({
      infrastructure: { service: { host: '$NOBODY', port: '5432' } },
      paths: '$NOBODY',
    });
  });
});

describe('variables in the values of variables', () => {
  const nested = {
    CNN: '{"host":"${DB_HOST}","port":${DB_PORT},"password":"${PASSWORD}"}',
    URL: 'postgresql://${DB_HOST}:${DB_PORT}/x',
    DB_HOST: 'db.example',
    DB_PORT: '5432',
    PASSWORD: 'a${DB_HOST}b',
  };

  it('are replaced in connections if they are in braces', () => {
    const result = '{"host":"db.example","port":5432,"password":"a${DB_HOST}b"}';
    expect(substitute(inSources('$CNN'), nested)).toEqual(inSources(result));
    expect(substitute(inSources('${CNN:-x}'), nested)).toEqual(inSources(result));
    expect(substitute(inSources('$URL'), nested)).toEqual(
      inSources('postgresql://db.example:5432/x'),
    );
  });

  it.each(['a${DB_HOST}b', 'a${y:-}b', '${NOBODY}', '${PASSWORD}', '$ecret ${'])(
    'are left unchanged in the password %s',
    (PASSWORD) => {
      const members = { host: '$DB_HOST', password: '$PASSWORD' };
      expect(substitute(inSources(members), { ...nested, PASSWORD })).toEqual(
        inSources({ host: 'db.example', password: PASSWORD }),
      );
    },
  );

  it.each(['ab${NOBODY}ef', 'a${y:-}b', '${CNN}', '$ecret ${'])(
    'are left unchanged in a connection with the password %s',
    (password) => {
      const CNN = `{"password":"${password}"}`;
      expect(substitute(inSources('$CNN'), { CNN })).toEqual(inSources(CNN));
    },
  );

  it('are the connection if the value is nothing but another variable', () => {
    const chain = { ...nested, CNN: '${OTHER}', OTHER: ' ${URL} ', PASSWORD: '${DB_HOST}' };
    expect(substitute(inSources('$CNN'), chain)).toEqual(
      inSources('postgresql://db.example:5432/x'),
    );
    expect(substitute(inSources('$PASSWORD'), chain)).toEqual(inSources('${DB_HOST}'));
    expect(substitute(inSources('$A'), { A: '${B}', B: '${A}' })).toEqual(inSources('${B}'));
  });

  it('are left unchanged outside the infrastructure', () => {
    const document = (text: string) => ({ domain: { entities: [{ writeValue: text }] } });
    const key = 'encrypt(name, "${PASSWORD}")';
    expect(substitute(document(key), nested)).toEqual(document('encrypt(name, "a${DB_HOST}b")'));
  });
});

describe('dollar signs outside the infrastructure', () => {
  const kept = ['$HOST', '^a$', '`${name}`', '${HOST:-x}', '$'];
  for (const text of kept) {
    it(`are left unchanged in ${text}`, () => {
      expect(substitute({ domain: { version: text } }, environment)).toEqual({
        domain: { version: text },
      });
    });
  }

  it('are replaced if they name a set variable in braces', () => {
    expect(substitute({ application: ['f("${HOST}")'] }, environment)).toEqual({
      application: ['f("db")'],
    });
  });
});

describe('variables for encryption keys', () => {
  const inDomain = (text: string) => ({ domain: { entities: [{ writeValue: text }] } });

  it('are errors if they are not set, because their names would be the keys', () => {
    const text = 'encrypt(`${name}`, "${NO_KEY}")';
    expect(() => substitute(inDomain(text), environment)).toThrow(
      "The variable 'NO_KEY' is not set.",
    );
  });

  it('are replaced, and may have a default; templates are left unchanged', () => {
    const text = 'encrypt(`${name}${HOST}`, "${HOST}${KEY:-k}")';
    expect(substitute(inDomain(text), environment)).toEqual(
      inDomain('encrypt(`${name}db`, "dbk")'),
    );
  });
});

describe('the document', () => {
  it('is not changed', () => {
    const document = Object.freeze({
      infrastructure: Object.freeze({ views: Object.freeze(['$HOST']) }),
    });
    expect(substitute(document, environment)).toEqual({ infrastructure: { views: ['db'] } });
    expect(document.infrastructure.views).toEqual(['$HOST']);
  });

  it('may be any value', () => {
    for (const document of [undefined, null, 5, '$HOST', []]) {
      expect(substitute(document, environment)).toEqual(document);
    }
  });
});

describe('variables that are never closed', () => {
  it('take a time that grows with the length of the text', () => {
    const text = '${A:-'.repeat(200_000);
    const startedAt = performance.now();
    expect(substitute(inSources(text), environment)).toEqual(inSources(text));
    expect(performance.now() - startedAt).toBeLessThan(5000);
  });
});
