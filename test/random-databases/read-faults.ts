/** Compares queries of an entity with each other: whatever its columns are, these answers must agree. */
import { ask, post, type Program } from '../support/program.js';
import type { Random } from '../random/random.js';
import {
  type Entity,
  type PropertyShape,
  type RelationShape,
  type Row,
  rowsOf,
  type RowsOrError,
} from './entity.js';

export interface Reading {
  readonly program: Program;
  readonly entities: readonly Entity[];
  readonly random: Random;
}

/** Reads an entity in many ways. */
export async function readFaults(reading: Reading, entity: Entity): Promise<readonly string[]> {
  const { program } = reading;
  const all = await rowsOf(program, entity.name);
  if (typeof all === 'string') return [`${entity.name}: ${all}`];
  const faults = new Faults(reading, entity, all);
  for (const property of entity.properties) await faults.ofProperty(property);
  for (const relation of entity.relations) await faults.ofRelation(relation);
  await faults.ofKeys();
  await faults.ofFormats();
  await faults.ofDescriptions();
  return faults.found;
}

/** An answer that refuses what a type cannot do. */
const isRefusal = (text: string) => /^4\d\d /.test(text);

class Faults {
  readonly found: string[] = [];
  readonly #reading: Reading;
  readonly #entity: Entity;
  readonly #all: readonly Row[];

  constructor(reading: Reading, entity: Entity, all: readonly Row[]) {
    this.#reading = reading;
    this.#entity = entity;
    this.#all = all;
  }

  async ofProperty({ name }: PropertyShape): Promise<void> {
    const values = this.#all.map((row) => row[name] ?? null);
    const some = values.filter((value) => value !== null);
    await this.#expect(`map(r=>({v:r.${name}}))`, (rows) => sameValues(valuesOf(rows), values), {
      mayRefuse: false,
    });
    await this.#expect(`filter(r=>r.${name}==null)`, counts(values.length - some.length), {
      mayRefuse: false,
    });
    await this.#expect(`filter(r=>r.${name}!=null)`, counts(some.length), { mayRefuse: false });
    const groups = await this.#expect(
      `map(r=>({v:r.${name},n:count(1)}))`,
      (rows) => sum(rows, 'n') === values.length,
    );
    await this.#expect(
      `distinct(r=>({v:r.${name}}))`,
      (rows) => groups === undefined || rows.length === groups.length,
    );
    await this.#expect(`sort(r=>r.${name})`, counts(values.length));
    for (const which of ['min', 'max']) {
      await this.#expect(`map(r=>({v:${which}(r.${name})}))`, ([row]) =>
        some.length === 0 ? row?.['v'] === null : isAmong(row?.['v'], some),
      );
    }
    await this.#ofOneValue(name, some);
  }

  async #ofOneValue(name: string, some: readonly unknown[]): Promise<void> {
    if (some.length === 0) return;
    const v = this.#reading.random.pick(some);
    const least = some.filter((value) => isAmong(value, [v])).length;
    const equal = await this.#expect(`filter(r=>r.${name}==v)`, (rows) => rows.length >= least, {
      data: { v },
    });
    if (!equal) return;
    const count = equal.length;
    await this.#expect(`filter(r=>r.${name}!=v)`, counts(some.length - count), { data: { v } });
    await this.#expect(`filter(r=>in(r.${name},v))`, counts(count), { data: { v: [v] } });
    await this.#expect(`filter(r=>in(r.${name},v))`, counts(some.length), { data: { v: some } });
    const below = await this.#expect(`filter(r=>r.${name}<v)`, () => true, { data: { v } });
    const above = await this.#expect(`filter(r=>r.${name}>v)`, () => true, { data: { v } });
    if (below && above && below.length + above.length + count !== some.length) {
      this.#add(`r.${name}<v, ==v and >v`, { below, equal, above, v });
    }
  }

  async ofRelation(relation: RelationShape): Promise<void> {
    const { name, type, entity: target, through } = relation;
    const rows = await this.#expect(`include(r=>r.${name})`, counts(this.#all.length), {
      mayRefuse: false,
    });
    const other = this.#reading.entities.find((each) => each.name === target);
    if (!rows || !other) return;
    if (type === 'manyToOne') {
      const children = rows.map((row) => row[name]);
      if (!children.every(Array.isArray)) return this.#add(`include(r=>r.${name})`, rows);
      const total = children.flat().length;
      await this.#expect(`map(r=>({n:r.${name}.count()}))`, (each) => sum(each, 'n') === total, {
        mayRefuse: through !== undefined,
      });
      const parents = children.filter((list) => list.length > 0).length;
      await this.#expect(`filter(r=>exists(r.${name}))`, counts(parents), {
        mayRefuse: through !== undefined,
      });
      return;
    }
    const found = rows.map((row) => row[name] ?? null);
    for (const { name: property } of other.properties) {
      const values = found.map((row) => (row as Row | null)?.[property] ?? null);
      await this.#expect(`map(r=>({v:r.${name}.${property}}))`, (each) =>
        sameValues(valuesOf(each), values),
      );
      await this.#expect(`sort(r=>r.${name}.${property})`, counts(values.length));
    }
  }

  async ofKeys(): Promise<void> {
    const { primaryKey } = this.#entity;
    if (primaryKey.length === 0) return;
    const condition = primaryKey.map((key, index) => `r.${key}==k${index}`).join(' && ');
    for (const row of this.#all) {
      const data = Object.fromEntries(primaryKey.map((key, index) => [`k${index}`, row[key]]));
      const isIt = (rows: readonly Row[]) => JSON.stringify(rows) === JSON.stringify([row]);
      await this.#expect(`filter(r=>${condition})`, isIt, { data, mayRefuse: false });
    }
    const pages: Row[] = [];
    for (let page = 1; pages.length < this.#all.length; page += 1) {
      const rows = await this.#expect(`page(${page},3)`, (each) => each.length > 0);
      if (!rows || rows.length === 0) return;
      pages.push(...rows);
    }
    const texts = [pages, this.#all].map((rows) => rows.map((row) => JSON.stringify(row)).sort());
    if (JSON.stringify(texts[0]) !== JSON.stringify(texts[1])) this.#add('page(n,3)', pages);
  }

  async ofFormats(): Promise<void> {
    const { program } = this.#reading;
    const body = { query: this.#entity.name };
    const lines = await post(program, '/execute', body, { accept: 'application/x-ndjson' });
    const rows = lines.text.split('\n').filter((line) => line !== '');
    const values = rows.map((line): unknown => JSON.parse(line));
    if (!sameValues(values, this.#all)) this.#add('as application/x-ndjson', lines.text);
    const table = await post(program, '/execute', body, { accept: 'text/csv' });
    if (table.status !== 200) this.#add('as text/csv', table.text);
  }

  async ofDescriptions(): Promise<void> {
    const { name, relations } = this.#entity;
    const included = relations.map((relation) => `.include(r=>r.${relation.name})`);
    const query = `${name}${included.join('')}`;
    for (const path of [
      '/plan',
      '/metadata',
      '/model',
      '/parameters',
      '/constraints',
      '/explain',
    ]) {
      const { status, text } = await post(this.#reading.program, path, { query });
      if (status !== 200) this.#add(path, `${status} ${text}`);
    }
    const one = await ask(this.#reading.program, `/entities/${encodeURIComponent(name)}`);
    if (one.status !== 200) this.#add(`/entities/${name}`, one.text);
  }

  /** Runs a query of the entity. Returns its rows, unless they are wrong or the query is refused. */
  async #expect(
    clauses: string,
    isRight: (rows: readonly Row[]) => boolean,
    { data, mayRefuse = true }: { readonly data?: Row; readonly mayRefuse?: boolean } = {},
  ): Promise<readonly Row[] | undefined> {
    const query = `${this.#entity.name}.${clauses}`;
    const rows: RowsOrError = await rowsOf(this.#reading.program, query, data);
    if (typeof rows === 'string') {
      if (!mayRefuse || !isRefusal(rows)) this.#add(clauses, rows, data);
      return undefined;
    }
    if (isRight(rows)) return rows;
    this.#add(clauses, rows, data);
    return undefined;
  }

  #add(clauses: string, found: unknown, data?: unknown): void {
    const given = data === undefined ? '' : ` with ${JSON.stringify(data)}`;
    const all = JSON.stringify(this.#all);
    this.found.push(
      `${this.#entity.name}.${clauses}${given}: ${JSON.stringify(found)}; its rows: ${all}`,
    );
  }
}

function valuesOf(rows: readonly Row[]): readonly unknown[] {
  return rows.map(({ v }) => v);
}

const counts = (count: number) => (rows: readonly Row[]) => rows.length === count;

function sum(rows: readonly Row[], name: string): number {
  return rows.reduce((total, row) => total + Number(row[name]), 0);
}

function isAmong(value: unknown, values: readonly unknown[]): boolean {
  return values.some((each) => JSON.stringify(each) === JSON.stringify(value));
}

/** Whether both have the same values, in any order. */
function sameValues(found: readonly unknown[], expected: readonly unknown[]): boolean {
  const [a, b] = [found, expected].map((values) => values.map((value) => JSON.stringify(value)));
  return JSON.stringify(a?.sort()) === JSON.stringify(b?.sort());
}
