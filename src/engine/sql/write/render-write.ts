/** A bound write as the tree of sentences that are executed and described. */
import type { Column, Inclusion, Parameter, Sentence } from '../../compiled-query.js';
import type { RowsWrite } from '../../compiled-write.js';
import type { DialectName } from '../../schema/model.js';
import { slotValueType } from '../../query/parameters.js';
import { allOf } from '../../query/bind-lambda.js';
import { leadsToMany } from '../../query/rows.js';
import type {
  BoundChosenWrite,
  BoundRowsWrite,
  BoundWrite,
  BoundWriteInclusion,
} from '../../query/write/bound-write.js';
import type { Entity } from '../../schema/model.js';
import { type Aliases, createAliases } from '../aliases.js';
import { dialectOf } from '../dialects.js';
import { inputsOf, type Output, outputColumns } from '../outputs.js';
import type { IsHidden } from '../render-expression.js';
import type { Place } from '../sentences.js';
import { renderChosen } from './render-chosen.js';
import type { WrittenLevel } from './chosen-condition.js';
import { guardSql, writeChecks, type WriteTelling } from './guard-sql.js';
import { returnedSql } from './returned-sql.js';
import { renderRowText, type RowTarget } from './row-text.js';
import { writeDialectOf } from './write-dialects.js';

/** Renders a write and all that it includes. */
export function renderWrite(
  write: BoundWrite,
  place: Place,
  isHidden: IsHidden | undefined,
): Sentence {
  const query = { place, aliases: createAliases(), isHidden };
  return write.kind === 'rows' ? rowsSentence(write, query) : chosenSentence(write, query, []);
}

interface QueryContext {
  readonly place: Place;
  readonly aliases: Aliases;
  /** Set under a view. */
  readonly isHidden: IsHidden | undefined;
}

function rowsSentence(bound: BoundRowsWrite, query: QueryContext): Sentence {
  const { row, action, fields, path, shape, link, inclusions } = bound;
  const { entity, location } = row;
  const { dialect } = location.source;
  const { quoteName, storedName } = dialectOf(dialect);
  const table = quoteName(location.entity.mapping);
  const alias = query.aliases.of(row);
  const answered = action === 'update' ? undefined : answeredBy(bound, { aliases: query.aliases });
  const returned = answered ? answered.outputs.map(({ name }) => name) : keysOf(bound);
  const write: RowsWrite = {
    kind: 'rows',
    action,
    table,
    storedTable: storedName(location.entity.mapping),
    fields,
    primaryKey: entity.primaryKey,
    uniqueKey: entity.uniqueKey,
    constraints: bound.constraints,
    conditions: bound.conditions,
    returned,
    ...(answered?.returning && { returning: answered.returning }),
    ...guardOf(bound, { aliases: query.aliases }),
    path,
    shape,
    ...(link && { link }),
  };
  const columns = answered
    ? outputColumns(answered.outputs)
    : returned.map((name): Column => ({ name, type: typeOfProperty(entity, name), role: 'key' }));
  return {
    entity: entity.name,
    alias,
    position: query.place(bound.offset),
    clause: action,
    source: location.source.name,
    dialect,
    text: toldText({ write, dialect, alias }, bound, query),
    columns,
    parameters: rowParameters(bound),
    arguments: [],
    inclusions: inclusions.map((each) => rowsInclusion(each, returned, query)),
    write,
  };
}

/** The statement as the plan shows it; the data of a request decide which one runs. */
function toldText(target: RowTarget, bound: BoundRowsWrite, query: QueryContext): string {
  const { write } = target;
  if (!query.isHidden) return renderRowText(target, usualShape(write, target.dialect)).text;
  const { row } = bound;
  const fields = write.fields.filter(({ property }) => !query.isHidden?.(row, property));
  const answered = write.returning && answeredBy(bound, query).returning;
  const told = {
    ...write,
    fields,
    ...(answered && { returning: answered }),
    ...guardOf(bound, query),
  };
  return renderRowText({ ...target, write: told }, usualShape(told, target.dialect)).text;
}

/** The rows that may be touched, and what is checked of them once they are written. */
function guardOf({ row, action, checks }: BoundRowsWrite, telling: WriteTelling) {
  const guard = allOf(row.guards);
  const { source, entity } = row.location;
  const name = dialectOf(source.dialect).quoteName(entity.mapping);
  const { aliases } = telling;
  const byName = {
    ...telling,
    aliases: { of: (each) => (each === row ? name : aliases.of(each)) },
  } satisfies WriteTelling;
  const isByName = action === 'upsert' && !writeDialectOf(source.dialect).returnsUpdated;
  return {
    ...(guard && { guard: guardSql(telling, row, guard) }),
    ...(guard && isByName && { guardByName: guardSql(byName, row, guard) }),
    ...(checks.length > 0 && { checks: writeChecks(telling, row, checks) }),
  };
}

interface AnsweredRow {
  readonly outputs: readonly Output[];
  readonly returning: Readonly<Record<string, string>> | undefined;
}

/** What is answered of the rows that are stored, each as it is read. */
function answeredBy({ row, answered }: BoundRowsWrite, telling: WriteTelling): AnsweredRow {
  const values = answered.map((output): Output => ({ ...output, role: 'value' }));
  const outputs = [...values, ...inputsOf(values)];
  const made = outputs.filter(
    ({ name, value }) => value.kind !== 'column' || value.property !== name,
  );
  if (made.length === 0) return { outputs, returning: undefined };
  const returning = made.map(
    ({ name, value }) => [name, returnedSql(telling, row, value)] as const,
  );
  return { outputs, returning: Object.fromEntries(returning) };
}

function typeOfProperty({ properties }: Entity, name: string): Column['type'] {
  return properties.find((property) => property.name === name)?.type ?? 'any';
}

/** What an update tells of its rows: how children and answers find them. */
function keysOf({ row, inclusions }: BoundRowsWrite): string[] {
  return [
    ...new Set([...row.entity.primaryKey, ...inclusions.map(({ relation }) => relation.from)]),
  ];
}

function rowsInclusion(
  { relation, write }: BoundWriteInclusion,
  parentColumns: readonly string[],
  query: QueryContext,
): Inclusion {
  return {
    relation: relation.name,
    cardinality: leadsToMany(relation) ? 'many' : 'one',
    parentKeyColumn: parentColumns.indexOf(relation.from),
    sentence: write.kind === 'rows' ? rowsSentence(write, query) : chosenSentence(write, query, []),
  };
}

/** The rows that the plan shows: with all that the data may have, and no generated key. */
function usualShape(write: RowsWrite, dialect: DialectName) {
  const { action, fields, primaryKey, shape } = write;
  const usual = fields.filter(
    ({ value, generated }) => value.kind !== 'none' && (action !== 'insert' || !generated),
  );
  const absent = action === 'update' ? [] : fields.filter((field) => !usual.includes(field));
  return {
    action,
    given: new Set(usual.map(({ property }) => property)),
    defaulted: new Set(absent.flatMap((field) => (field.default ? [field.property] : []))),
    keys: action === 'insert' ? [] : primaryKey,
    rows: shape === 'many' && writeDialectOf(dialect).lists ? 2 : 1,
  };
}

function rowParameters({ fields, path, parameters }: BoundRowsWrite): Parameter[] {
  const types = new Map<string, Parameter['type']>();
  for (const { value, type } of fields) {
    if (value.kind === 'member') types.set([...path, value.name].join('.'), type);
  }
  for (const [name, slot] of parameters) types.set(name, slotValueType(slot));
  return [...types].map(([name, type]) => ({ name, type }));
}

function chosenSentence(
  bound: BoundChosenWrite,
  query: QueryContext,
  parents: readonly WrittenLevel[],
): Sentence {
  const { row, action, assignments, presentIn, keyedBy, inclusions } = bound;
  const { entity, location } = row;
  const returned = action === 'update' ? inclusions.map(({ relation }) => relation.from) : [];
  const { aliases, isHidden } = query;
  const rendered = renderChosen(bound, parents, { aliases, returned });
  const told = isHidden ? renderChosen(bound, parents, { aliases, returned, isHidden }) : rendered;
  const shown = told.shown ?? told.text;
  const assigned = rendered.assigned;
  const names = new Set(assigned.map(({ field }) => field.property));
  return {
    entity: entity.name,
    alias: query.aliases.of(row),
    position: query.place(bound.offset),
    clause: action,
    source: location.source.name,
    dialect: location.source.dialect,
    text: rendered.text,
    ...(shown !== rendered.text && { shown }),
    columns: returned.map(
      (name): Column => ({ name, type: typeOfProperty(entity, name), role: 'key' }),
    ),
    parameters: rendered.parameters,
    arguments: rendered.arguments,
    inclusions: inclusions.map((each) => {
      const { relation, write } = each;
      if (write.kind === 'rows') return rowsInclusion(each, returned, query);
      const level = { parent: bound, from: relation.from, to: relation.to };
      return {
        relation: relation.name,
        cardinality: leadsToMany(relation) ? 'many' : 'one',
        parentKeyColumn: -1,
        sentence: chosenSentence(write, query, [...parents, level]),
      };
    }),
    write: {
      kind: 'chosen',
      action,
      storedTable: dialectOf(location.source.dialect).storedName(location.entity.mapping),
      assigned,
      ...(bound.checks.length > 0 && {
        checks: writeChecks({ aliases: query.aliases }, row, bound.checks),
      }),
      computed: assignments.flatMap(({ field }) =>
        names.has(field.property) ? [] : [field.property],
      ),
      constraints: bound.constraints,
      conditions: bound.conditions,
      base: bound.base,
      ...(presentIn && { presentIn }),
      ...(keyedBy && { keyedBy }),
      ...(rendered.before && { before: rendered.before }),
      ...(rendered.byKey && { byKey: rendered.byKey }),
      ...(rendered.after && { after: rendered.after }),
      ...(rendered.merged && { merged: rendered.merged }),
    },
  };
}
