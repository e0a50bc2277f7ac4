/** Rows as NDJSON and CSV, on both servers: the same rows as in the JSON list. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeServers } from '../support/http-servers.js';
import { type Answer, type Program, post, rowsOf, until } from '../support/program.js';
import {
  MANY_ROWS,
  OVERFLOWING,
  ODD_TEXTS,
  type StreamsFixture,
  startStreamsFixture,
} from './streams-fixture.js';

const LINES = { accept: 'application/x-ndjson' };
const CSV = { accept: 'text/csv' };

let fixture: StreamsFixture;
beforeAll(async () => {
  fixture = await startStreamsFixture();
});
afterAll(() => fixture.stop());

describeServers('the program on %s', (httpServer) => {
  let program: Program;
  beforeAll(async () => {
    program = await fixture.start(['--http-server', httpServer]);
  });
  afterAll(async () => {
    expect(await program.stop()).toBe(0);
  });

  const execute = (query: string, headers: Readonly<Record<string, string>>, data?: unknown) =>
    post(program, '/execute', { query, data }, headers);

  describe('application/x-ndjson', () => {
    test('has one line for each row', async () => {
      const query = 'Odds.sort(p=>p.id)';
      const answer = await execute(query, LINES);
      expect(answer.headers.get('content-type')).toBe('application/x-ndjson');
      expect(answer.headers.get('vary')).toBe('accept');
      expect(linesOf(answer)).toEqual(await rowsOf(program, query));
    });

    test('contains included rows, and ignores a request to indent', async () => {
      const query = 'Odds.filter(p=>p.id<4).include(p=>p.big)';
      const answer = await post(program, '/execute?format=beautiful', { query }, LINES);
      expect(linesOf(answer)).toEqual(await rowsOf(program, query));
      expect(answer.text).toContain('"big":{"id":1,');
    });

    test('is empty if there are no rows', async () => {
      const answer = await execute('Odds.filter(p=>p.id==x)', LINES, { x: -1 });
      expect([answer.status, answer.text]).toEqual([200, '']);
    });

    test('comes after the total of rows, and the cursor of the next page', async () => {
      const body = { query: 'Many.sort(p=>p.id)', options: { count: true } };
      const whole = await post(program, '/execute', body, LINES);
      expect(whole.headers.get('x-total-count')).toBe(String(MANY_ROWS));
      expect(linesOf(whole)).toHaveLength(MANY_ROWS);
      const page = await execute('Many.map(p=>p.id).after(c).take(2)', LINES, { c: null });
      const [, cursor] = /cursor="(.*)"$/.exec(page.headers.get('link') ?? '') ?? [];
      const next = await execute('Many.map(p=>p.id).after(c).take(2)', LINES, { c: cursor });
      expect([linesOf(page), linesOf(next)]).toEqual([
        [{ id: 1 }, { id: 2 }],
        [{ id: 3 }, { id: 4 }],
      ]);
    });

    test('streams more rows than fit into a part', async () => {
      const answer = await execute('Many.sort(p=>p.id)', LINES);
      const rows = linesOf(answer);
      expect(rows.length).toBe(MANY_ROWS);
      expect(rows).toEqual(await rowsOf(program, 'Many.sort(p=>p.id)'));
    });

    test('ends with a line that reports an error after the first rows', async () => {
      const id = `lines-${httpServer}`;
      const query = `Many.map(p=>({id:p.id,r:p.id+${OVERFLOWING}}))`;
      const answer = await execute(query, { ...LINES, 'x-request-id': id });
      expect(answer.status).toBe(200);
      const rows = linesOf(answer);
      expect(rows[0]).toMatchObject({ id: 1 });
      expect(rows.at(-1)).toMatchObject({
        error: { status: 400, code: 'value-out-of-range', requestId: id },
      });
      const logged = await until('the fault is logged', () =>
        program.log.find(({ isCut }) => isCut),
      );
      expect(logged).toMatchObject({ requestId: id, code: 'value-out-of-range' });
    });

    test('is a problem if nothing has been sent yet', async () => {
      const answer = await execute('Odds.map(p=>({r:p.id+9223372036854775807}))', LINES);
      expect(answer.headers.get('content-type')).toBe('application/problem+json');
      expect(answer.json()).toMatchObject({ status: 400, code: 'value-out-of-range' });
    });

    test('contains what a write has stored, or the number of rows', async () => {
      const one = await execute('Notes.insert()', LINES, { name: 'one' });
      expect(linesOf(one)).toEqual([{ id: expect.any(Number), name: 'one' }]);
      const many = await execute('Notes.bulkInsert()', LINES, [{ name: 'two' }, { name: 'three' }]);
      expect(linesOf(many)).toMatchObject([{ name: 'two' }, { name: 'three' }]);
      const gone = await execute('Notes.deleteAll()', LINES);
      expect(gone.text).toBe('3\n');
    });
  });

  describe('text/csv', () => {
    test('equals what the database itself writes as CSV', async () => {
      const answer = await execute('Odds.map(p=>[p.id,p.name,p.amount]).sort(p=>p.id)', CSV);
      expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
      const trimmed = 'SELECT id, name, trim_scale(amount) AS amount FROM odds ORDER BY id';
      expect(answer.text).toBe(await fixture.copiedCsv(trimmed));
    });

    test('distinguishes null from the empty string, and quotes where necessary', async () => {
      const answer = await execute('Odds.map(p=>[p.id,p.name]).sort(p=>p.id)', CSV);
      const expected = [...ODD_TEXTS, null].map((text, index) => `${index + 1},${csvField(text)}`);
      const rows = ['id,name', ...expected, '101,x', '102,x', '103,x'];
      expect(answer.text).toBe(rows.map((row) => `${row}\r\n`).join(''));
    });

    test('writes dates, numbers and booleans as JSON does, without quotes', async () => {
      const query = 'Odds.filter(p=>p.id>100).map(p=>[p.flag,p.amount,p.ratio,p.day,p.at,p.clock])';
      const answer = await execute(`${query}.sort(p=>p.id)`, CSV);
      expect(answer.text.split('\r\n')).toEqual([
        'flag,amount,ratio,day,at,clock',
        'true,20.8,1.5,2024-02-29T00:00:00.000Z,2024-02-29T12:34:56.789Z,01:02:03',
        'false,-0.5,,-000043-03-15T00:00:00.000Z,,01:02:03.250',
        ',12345678901234567890,,,+012024-01-01T00:00:00.000Z,',
        '',
      ]);
    });

    test('has only the header if there are no rows, for one plan and for many', async () => {
      const query = 'Odds.filter(p=>p.id==x).map(p=>({"a,b":p.id,c:p.name}))';
      const one = await execute(query, CSV, { x: -1 });
      expect([one.status, one.text]).toEqual([200, '"a,b",c\r\n']);
      const ids = Array.from({ length: 40 }, (_, index) => index % 3);
      const answers = await Promise.all(ids.map((x) => execute(query, CSV, { x })));
      expect(answers.map(({ text }) => text)).toEqual(
        ids.map((x) =>
          x === 0 ? '"a,b",c\r\n' : `"a,b",c\r\n${x},${csvField(ODD_TEXTS[x - 1])}\r\n`,
        ),
      );
    });

    test('streams more rows than fit into a part', async () => {
      const answer = await execute('Many.map(p=>[p.id,p.name]).sort(p=>p.id)', CSV);
      expect(answer.text).toBe(await fixture.copiedCsv('SELECT id, name FROM many ORDER BY id'));
    });

    test('is cut by an error after the first rows', async () => {
      const query = `Many.map(p=>({id:p.id,r:p.id+${OVERFLOWING}}))`;
      await expect(execute(query, CSV)).rejects.toThrow();
    });

    test.each([
      ['Odds.include(p=>p.big)', undefined],
      ['Notes.insert()', { name: 'not stored' }],
      ['Notes.deleteAll()', undefined],
    ])('refuses %s with 406', async (query, data) => {
      const answer = await execute(query, CSV, data);
      expect(answer.headers.get('vary')).toBe('accept');
      expect(answer.json()).toMatchObject({ status: 406, code: 'not-acceptable' });
      expect(await rowsOf(program, 'Notes.count()')).toEqual([{ count: 0 }]);
    });
  });

  test.each([
    ['*/*', 'application/json'],
    ['application/*', 'application/json'],
    ['text/*', 'text/csv'],
    ['text/csv, application/x-ndjson', 'application/x-ndjson'],
    ['text/csv, application/x-ndjson;q=0.9', 'text/csv'],
    ['application/json;q=0.5, text/csv;q=0.6', 'text/csv'],
    ['application/json;q=0, */*', 'application/x-ndjson'],
    ['application/json;charset=utf-8', 'application/json'],
    ['TEXT/CSV', 'text/csv'],
    ['text/html, */*;q=0.1', 'application/json'],
    ['text/html;x="a,text/csv", application/x-ndjson;q=0.3', 'application/x-ndjson'],
  ])('answers Accept: %s with %s', async (accept, type) => {
    const answer = await execute('Odds.filter(p=>p.id==1)', { accept });
    expect(answer.headers.get('content-type')).toMatch(new RegExp(`^${type}($|;)`));
  });

  test.each(['text/html', 'application/xml, image/*', 'application/json;q=0', 'text/csv;q=0.000'])(
    'refuses Accept: %s with 406',
    async (accept) => {
      const answer = await execute('Odds', { accept });
      expect(answer.headers.get('content-type')).toBe('application/problem+json');
      expect(answer.json()).toMatchObject({ status: 406, code: 'not-acceptable' });
    },
  );
});

function linesOf({ text }: Answer): unknown[] {
  expect(text).toMatch(/\n$/);
  return text
    .slice(0, -1)
    .split('\n')
    .map((line) => JSON.parse(line));
}

function csvField(text: string | null | undefined): string {
  if (text === null || text === undefined) return '';
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
