/** A search by collation finds the first match, also one that overlaps an exact one. */
import { beforeAll, expect, test } from 'vitest';
import { describeDomain } from './domain-stage.js';

const entities = [
  {
    name: 'Texts',
    primaryKey: ['id'],
    properties: [{ name: 'id', type: 'integer', required: true }, { name: 'text' }],
  },
];

/** A text, a part, its position, its number, and the text without it. */
const cases = [
  ['Aaa', 'aa', 0, 1, 'xa'],
  ['äaa', 'aa', 0, 1, 'xa'],
  ['Aaaa', 'aa', 0, 2, 'xx'],
  ['aaA', 'aa', 0, 1, 'xA'],
  ['bäaab', 'aa', 1, 1, 'bxab'],
  ['banAnana', 'ana', 1, 2, 'bxnx'],
  ['aäa', 'a', 0, 3, 'xxx'],
  ['aaa', 'aa', 0, 1, 'xa'],
  ['--–', '--', 0, 1, 'x–'],
  ['bAb', 'aa', -1, 0, 'bAb'],
] as const;

describeDomain('matches that overlap', entities, (stage) => {
  beforeAll(async () => {
    const { dialect, sql, ask } = stage();
    const isPostgresql = dialect === 'PostgreSQL';
    const options = `provider = icu, locale = 'und-u-ks-level1', deterministic = false`;
    if (isPostgresql) await sql(`CREATE COLLATION same (${options})`);
    const collation = isPostgresql ? 'same' : 'utf8mb4_general_ci';
    const change = isPostgresql ? 'ALTER text TYPE' : 'MODIFY text';
    await sql(`ALTER TABLE Texts ${change} varchar(80) COLLATE ${collation}`);
    await ask(
      'Texts.bulkInsert()',
      cases.map(([text], id) => ({ id, text })),
    );
  });

  test.each(cases.map(([text, part, ...expected], id) => [text, part, { expected, id }] as const))(
    'in %s, of %s',
    async (_text, part, { expected: [index, count, replaced], id }) => {
      const { ask } = stage();
      const queryOf = (searched: string) => {
        const calls = `i: indexOf(p.text, ${searched}), n: strCount(p.text, ${searched})`;
        const all = `${calls}, r: replace(p.text, ${searched}, "x")`;
        return `Texts.filter(p=>p.id==id).map(p=>({${all}}))`;
      };
      const expected = [{ i: index, n: count, r: replaced }];
      expect(await ask(queryOf(`"${part}"`), { id })).toEqual(expected);
      expect(await ask(queryOf('part'), { id, part })).toEqual(expected);
    },
  );
});
