/** Relations through a join table: how introspection creates them, and how they are read. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { callCommand } from '../support/call-command.js';
import { makeTemporaryDirectory } from '../support/embedded.js';
import { describeMariadb } from '../support/mariadb.js';
import { ask, post, type Program, rowsOf, startProgram } from '../support/program.js';
import { type OwnDatabase, useOwnMariadb, useOwnPostgresql } from './own-database.js';

const tables = `
  CREATE TABLE film (id integer PRIMARY KEY, title varchar(40) NOT NULL, minutes integer);
  CREATE TABLE actor (id integer PRIMARY KEY, name varchar(40) NOT NULL);
  CREATE TABLE film_actor (actor_id integer NOT NULL, film_id integer NOT NULL, fee decimal(8, 2),
    PRIMARY KEY (actor_id, film_id), FOREIGN KEY (actor_id) REFERENCES actor (id),
    FOREIGN KEY (film_id) REFERENCES film (id));
  CREATE TABLE person (id integer PRIMARY KEY, friends varchar(9));
  CREATE TABLE friendship (person_id integer NOT NULL, friend_id integer NOT NULL,
    PRIMARY KEY (person_id, friend_id), FOREIGN KEY (person_id) REFERENCES person (id),
    FOREIGN KEY (friend_id) REFERENCES person (id));
  CREATE TABLE rack (aisle varchar(4) NOT NULL, place integer NOT NULL, PRIMARY KEY (aisle, place));
  CREATE TABLE box (id integer PRIMARY KEY);
  CREATE TABLE rack_box (aisle varchar(4) NOT NULL, place integer NOT NULL, box_id integer NOT NULL,
    PRIMARY KEY (box_id, aisle, place), FOREIGN KEY (box_id) REFERENCES box (id),
    FOREIGN KEY (aisle, place) REFERENCES rack (aisle, place));
  INSERT INTO film VALUES (1, 'One', 90), (2, 'Two', 120), (3, 'Three', NULL), (4, 'Four', 60);
  INSERT INTO actor VALUES (1, 'Ada'), (2, 'Ben'), (3, 'Cyd');
  INSERT INTO film_actor VALUES (1, 1, 10), (2, 1, 20), (1, 2, 30), (3, 3, NULL), (2, 3, 5);
  INSERT INTO person VALUES (1, 'a'), (2, 'b'), (3, NULL);
  INSERT INTO friendship VALUES (1, 2), (1, 3), (3, 1);
  INSERT INTO rack VALUES ('A', 1), ('A', 2), ('B', 1);
  INSERT INTO box VALUES (7), (8);
  INSERT INTO rack_box VALUES ('A', 1, 7), ('B', 1, 7), ('A', 1, 8)`;

const views = [
  { name: 'default' },
  { name: 'short', entities: [{ name: 'Film', readExp: 'minutes<100' }] },
  { name: 'paid', entities: [{ name: 'FilmActor', readExp: 'fee>10' }] },
  { name: 'jointless', entities: [{ name: 'FilmActor', exclude: true }] },
  {
    name: 'keyless',
    entities: [{ name: 'FilmActor', properties: [{ name: 'filmId', exclude: true }] }],
  },
];

describe('join tables on PostgreSQL', () => {
  suite(useOwnPostgresql(tables));
});
describeMariadb('join tables', () => {
  suite(useOwnMariadb(tables));
});

function suite(database: OwnDatabase): void {
  const folder = makeTemporaryDirectory();
  let program: Program;
  beforeAll(async () => {
    const { stdout } = await callCommand(['introspect', database.url]);
    const { infrastructure, ...rest } = parse(stdout);
    const file = join(folder, 'schema.json');
    writeFileSync(file, JSON.stringify({ ...rest, infrastructure: { ...infrastructure, views } }));
    program = await startProgram(['--schema', file, '--url', database.url, '--workers', '1']);
  });
  afterAll(() => program.stop());

  const under = async (view: string, query: string) =>
    post(program, '/execute', { query, options: { view } });

  test('become relations of both sides, with names that are free', async () => {
    const relationsOf = async (entity: string) => {
      const { relations } = (await ask(program, `/entities/${entity}`)).json() as {
        readonly relations: readonly { readonly name: string; readonly through?: object }[];
      };
      return relations.filter(({ through }) => through);
    };
    const through = { entity: 'FilmActor', from: 'filmId', to: 'actorId' };
    const actors = { name: 'actors', type: 'manyToOne', from: 'id', to: 'id', entity: 'Actor' };
    expect(await relationsOf('Film')).toMatchObject([{ ...actors, target: 'films', through }]);
    expect(await relationsOf('Actor')).toMatchObject([
      { name: 'films', through: { entity: 'FilmActor', from: 'actorId', to: 'filmId' } },
    ]);
    expect(await relationsOf('Person')).toMatchObject([
      { name: 'friendsByFriendship', target: 'people' },
      { name: 'people', target: 'friendsByFriendship' },
    ]);
    expect(await relationsOf('Rack')).toMatchObject([{ name: 'boxes', from: ['aisle', 'place'] }]);
  });

  test.each([
    [
      'Film.sort(p=>p.id).map(p=>p.id).include(p=>p.actors.map(a=>a.name))',
      [
        { id: 1, actors: [{ name: 'Ada' }, { name: 'Ben' }] },
        { id: 2, actors: [{ name: 'Ada' }] },
        { id: 3, actors: [{ name: 'Ben' }, { name: 'Cyd' }] },
        { id: 4, actors: [] },
      ],
    ],
    [
      'Actor.sort(p=>desc(p.id)).map(p=>p.name).include(p=>p.films.filter(f=>f.minutes!=null).sort(f=>desc(f.id)).take(1))',
      [
        { name: 'Cyd', films: [] },
        { name: 'Ben', films: [{ id: 1, title: 'One', minutes: 90 }] },
        { name: 'Ada', films: [{ id: 2, title: 'Two', minutes: 120 }] },
      ],
    ],
    [
      'Film.filter(p=>p.id<3).map(p=>p.id).sort(p=>p.id).include(p=>p.actors.map(a=>a.id).include(a=>a.films.map(f=>f.id)))',
      [
        {
          id: 1,
          actors: [
            { id: 1, films: [{ id: 1 }, { id: 2 }] },
            { id: 2, films: [{ id: 1 }, { id: 3 }] },
          ],
        },
        { id: 2, actors: [{ id: 1, films: [{ id: 1 }, { id: 2 }] }] },
      ],
    ],
    [
      'Person.sort(p=>p.id).map(p=>p.id).include(p=>[p.friendsByFriendship.map(f=>f.id), p.people.map(f=>f.id)])',
      [
        { id: 1, friendsByFriendship: [{ id: 2 }, { id: 3 }], people: [{ id: 3 }] },
        { id: 2, friendsByFriendship: [], people: [{ id: 1 }] },
        { id: 3, friendsByFriendship: [{ id: 1 }], people: [{ id: 1 }] },
      ],
    ],
    [
      'Rack.sort(p=>[p.aisle, p.place]).include(p=>p.boxes)',
      [
        { aisle: 'A', place: 1, boxes: [{ id: 7 }, { id: 8 }] },
        { aisle: 'A', place: 2, boxes: [] },
        { aisle: 'B', place: 1, boxes: [{ id: 7 }] },
      ],
    ],
    [
      'Box.sort(p=>p.id).include(p=>p.racks)',
      [
        {
          id: 7,
          racks: [
            { aisle: 'A', place: 1 },
            { aisle: 'B', place: 1 },
          ],
        },
        { id: 8, racks: [{ aisle: 'A', place: 1 }] },
      ],
    ],
    [
      'Film.sort(p=>p.id).map(p=>({id: p.id, n: p.actors.count(), named: p.actors.filter(a=>a.id>1).count(), last: p.actors.sort(a=>a.name).last(a=>a.name)}))',
      [
        { id: 1, n: 2, named: 1, last: 'Ben' },
        { id: 2, n: 1, named: 0, last: 'Ada' },
        { id: 3, n: 2, named: 2, last: 'Cyd' },
        { id: 4, n: 0, named: 0, last: null },
      ],
    ],
    [
      'Film.filter(p=>exists(p.actors, a=>a.name=="Ada")).sort(p=>p.id).map(p=>p.id)',
      [{ id: 1 }, { id: 2 }],
    ],
    ['Film.filter(p=>!exists(p.actors)).map(p=>p.id)', [{ id: 4 }]],
    [
      'Actor.map(p=>({name: p.name, minutes: p.films.sum(f=>f.minutes)})).sort(p=>p.name)',
      [
        { name: 'Ada', minutes: 210 },
        { name: 'Ben', minutes: 90 },
        { name: 'Cyd', minutes: null },
      ],
    ],
    ['Rack.filter(p=>p.boxes.count()>1).map(p=>p.place)', [{ place: 1 }]],
    [
      'FilmActor.filter(p=>exists(p.film.actors, a=>a.id==3)).sort(p=>p.actorId).map(p=>p.actorId)',
      [{ actorId: 2 }, { actorId: 3 }],
    ],
    [
      'Film.filter(p=>p.id==1).include(p=>p.actors.map(a=>({n: count()}))).map(p=>p.id)',
      [{ id: 1, actors: [{ n: 2 }] }],
    ],
  ])('are read: %s', async (query, rows) => {
    expect(await rowsOf(program, query)).toEqual(rows);
  });

  const included = 'Actor.filter(p=>p.id==1).map(p=>p.id).include(p=>p.films.map(f=>f.id))';
  const counted = 'Actor.filter(p=>p.id==1).map(p=>({n: p.films.count()}))';
  test.each([
    ['short', [{ id: 1, films: [{ id: 1 }] }], [{ n: 1 }]],
    ['paid', [{ id: 1, films: [{ id: 2 }] }], [{ n: 1 }]],
  ])('show what the view %s shows', async (view, rows, count) => {
    expect((await under(view, included)).json()).toEqual(rows);
    expect((await under(view, counted)).json()).toEqual(count);
  });

  test.each(['jointless', 'keyless'])('do not exist under the view %s', async (view) => {
    for (const query of [included, counted]) {
      expect((await under(view, query)).json()).toMatchObject({ status: 400, code: /unknown/ });
    }
  });

  test('are described in the OpenAPI document with their join table', async () => {
    const { components } = (await ask(program, '/openapi.json')).json() as {
      readonly components: { readonly schemas: Record<string, { readonly properties: object }> };
    };
    expect(components.schemas['Film']?.properties).toMatchObject({
      actors: {
        description:
          'Only if included: Actor with id equal to actorId of a row of FilmActor whose filmId is equal to id.',
      },
    });
  });

  test('are not written', async () => {
    const data = { id: 9, title: 'Nine', actors: [{ id: 9, name: 'Ida' }] };
    const query = 'Film.insert().include(p=>p.actors)';
    const refused = await post(program, '/execute', { query, data });
    expect([refused.status, refused.json()]).toMatchObject([
      400,
      { code: 'unsupported', hint: "Insert and delete rows of 'FilmActor'." },
    ]);
    const document = { entities: [{ entity: 'Film', rows: [data] }] };
    const stored = await post(program, '/stages/default/import', document);
    expect([stored.status, stored.json()]).toMatchObject([200, { ignored: { 'Film.actors': 1 } }]);
    await rowsOf(program, 'Film.delete()', { id: 9 });
  });

  test('do not nest rows in an export', async () => {
    const exported = (await ask(program, '/stages/default/export')).json() as {
      readonly entities: readonly { readonly entity: string; readonly rows: readonly object[] }[];
    };
    const rowsIn = (name: string) => exported.entities.find(({ entity }) => entity === name)?.rows;
    expect(rowsIn('FilmActor')).toHaveLength(5);
    expect(Object.keys(rowsIn('Film')?.[0] ?? {}).sort()).toEqual(['id', 'minutes', 'title']);
  });
}
