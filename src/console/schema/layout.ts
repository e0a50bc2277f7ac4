/**
 * Places the entities of a diagram in columns, so that an entity with a foreign key is to the right
 * of the referenced entity, and close to its neighbours.
 */
import { type Entity, isToMany } from '../gateway/forms.js';

export interface Box {
  readonly entity: Entity;
  readonly x: number;
  readonly y: number;
}

/** A relation, from the entity with the key to the one that it refers to. */
export interface Edge {
  readonly from: string;
  readonly to: string;
  readonly name: string;
}

export interface Diagram {
  readonly boxes: readonly Box[];
  readonly edges: readonly Edge[];
  readonly width: number;
  readonly height: number;
}

export const BOX = { width: 184, height: 56 } as const;
const GAP = { x: 110, y: 28 } as const;
const MARGIN = 28;
/** A column with more entities is split. */
const COLUMN_MAX = 9;
/** How often the order within the columns is improved. */
const ROUNDS = 6;

export function layoutOf(entities: readonly Entity[]): Diagram {
  const edges = edgesOf(entities);
  const columns = inOrder(columnsOf(entities, edges), edges);
  const tallest = Math.max(...columns.map(({ length }) => length), 1);
  const innerHeight = tallest * (BOX.height + GAP.y) - GAP.y;
  const boxes = columns.flatMap((column, index) => {
    const height = column.length * (BOX.height + GAP.y) - GAP.y;
    return column.map((entity, row) => ({
      entity,
      x: MARGIN + index * (BOX.width + GAP.x),
      y: MARGIN + (innerHeight - height) / 2 + row * (BOX.height + GAP.y),
    }));
  });
  const width = 2 * MARGIN + columns.length * (BOX.width + GAP.x) - GAP.x;
  return { boxes, edges, width, height: 2 * MARGIN + innerHeight };
}

/** Each relation once, because its two directions are drawn as one line. */
function edgesOf(entities: readonly Entity[]): readonly Edge[] {
  const names = new Set(entities.map(({ name }) => name));
  return entities.flatMap(({ name, relations }) =>
    relations
      .filter((relation) => !isToMany(relation) && names.has(relation.entity))
      .map((relation) => ({ from: name, to: relation.entity, name: relation.name })),
  );
}

/** An entity is one column to the right of the rightmost one that it references. */
function columnsOf(entities: readonly Entity[], edges: readonly Edge[]): Entity[][] {
  const ranks = new Map<string, number>();
  const rankOf = (name: string, path: readonly string[]): number => {
    const known = ranks.get(name);
    if (known !== undefined) return known;
    const targets = edges.filter(({ from, to }) => from === name && !path.includes(to));
    const behind = targets.map(({ to }) => rankOf(to, [...path, to]) + 1);
    const rank = Math.max(0, ...behind);
    ranks.set(name, rank);
    return rank;
  };
  const columns: Entity[][] = [];
  for (const entity of entities) (columns[rankOf(entity.name, [entity.name])] ??= []).push(entity);
  return columns.flatMap((column) => divided(column));
}

function divided(column: readonly Entity[]): Entity[][] {
  const parts = Math.ceil(column.length / COLUMN_MAX);
  const size = Math.ceil(column.length / parts);
  return Array.from({ length: parts }, (_, part) => column.slice(part * size, (part + 1) * size));
}

/** Sorts each column by the mean position of the neighbours of its entities. */
function inOrder(columns: readonly Entity[][], edges: readonly Edge[]): readonly Entity[][] {
  let ordered = columns;
  for (let round = 0; round < ROUNDS; round++) {
    const places = new Map(
      ordered.flatMap((column) =>
        column.map(({ name }, row) => [name, (row + 0.5) / column.length] as const),
      ),
    );
    ordered = ordered.map((column) => {
      const wanted = new Map(column.map(({ name }) => [name, placeNear(name, edges, places)]));
      return column.toSorted((a, b) => (wanted.get(a.name) ?? 0) - (wanted.get(b.name) ?? 0));
    });
  }
  return ordered;
}

function placeNear(
  name: string,
  edges: readonly Edge[],
  places: ReadonlyMap<string, number>,
): number {
  const near = edges
    .flatMap(({ from, to }) => (from === name ? [to] : to === name ? [from] : []))
    .filter((other) => other !== name)
    .map((other) => places.get(other) ?? 0.5);
  const own = places.get(name) ?? 0.5;
  return near.length === 0 ? own : near.reduce((sum, place) => sum + place, 0) / near.length;
}
