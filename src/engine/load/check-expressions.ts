/**
 * Checks the expressions in a schema that is otherwise valid: those of properties and constraints, and
 * those of listeners with their queries. Each error is reported with its place.
 */
import { compileQuery } from '../compile.js';
import { EngineError } from '../errors.js';
import { compileStep, readCondition, readStep } from '../listeners/compile-listeners.js';
import { checkExecute, checkInSomeStage } from '../listeners/execute-step.js';
import { holdsSecret } from '../schema/secret.js';
import { conditionsOf } from '../query/write/constraints.js';
import { propertyDefault } from '../query/write/property-default.js';
import { type Catalog, wholeCatalog } from '../schema/catalog.js';
import { childNode, type DocumentNode, listNodes, namedNodes, report } from '../schema/document.js';
import type { Entity, Listener, Schema, View } from '../schema/model.js';

/** Reports errors at the nodes of the document. */
export function checkExpressions(schema: Schema, root: DocumentNode): void {
  const catalog = wholeCatalog(schema);
  const nodes = namedNodes(childNode(childNode(root, 'domain'), 'entities'));
  const keys = keysOf(schema);
  for (const entity of schema.domain.entities) {
    const node = nodes.get(entity.name) ?? root;
    if (entity.view || checkDefaults(catalog, entity, node)) {
      checkEntity(catalog, entity, keys.get(entity.name), node);
    }
  }
  const listeners = listNodes(childNode(childNode(root, 'application'), 'listeners'));
  for (const [index, listener] of schema.listeners.entries()) {
    const node = listeners[index];
    if (node) checkListener(catalog, listener, { node, views: schema.views });
  }
}

export const limits = { expressionLengthMax: 1 << 20, nestingMax: 64, includeDepthMax: 1 };

/**
 * Checks the defaults that an insert uses, and returns whether all are valid. Those that another entity
 * declares are reported at this one.
 */
function checkDefaults(catalog: Catalog, entity: Entity, node: DocumentNode): boolean {
  if (!entity.hadDefaults) return true;
  const nodes = namedNodes(childNode(node, 'properties'));
  const checks = entity.properties.map((property) => {
    if (property.default === undefined || property.autoIncrement) return true;
    const own = nodes.get(property.name);
    const place = own ? childNode(own, 'default') : node;
    return reportAt(place, () => propertyDefault(catalog, entity, property), true);
  });
  return !checks.includes(false);
}

/** The properties by which rows are found or linked, by entity: primary keys, and the ends of relations. */
export function keysOf({ domain: { entities } }: Schema): ReadonlyMap<string, ReadonlySet<string>> {
  const keys = new Map(entities.map(({ name, primaryKey }) => [name, new Set(primaryKey)]));
  const add = (entity: string, names: readonly string[]) => {
    for (const name of names) keys.get(entity)?.add(name);
  };
  for (const { name, relations } of entities) {
    for (const { entity, from, to, through } of relations) {
      add(name, from);
      add(entity, to);
      if (through) add(through.entity, [...through.from, ...through.to]);
    }
  }
  return keys;
}

/** Compiles an entity if it has expressions. Other entities have nothing to check. */
function checkEntity(
  catalog: Catalog,
  entity: Entity,
  keys: ReadonlySet<string> | undefined,
  node: DocumentNode,
): void {
  const { constraints, hadReadExps, hadReadValues, hadWriteExps, hadWriteValues } = entity;
  if (constraints.length > 0)
    reportAt(childNode(node, 'constraints'), () => conditionsOf(catalog, entity));
  const isRead = hadReadExps || hadReadValues;
  const isWritten = (hadWriteExps || hadWriteValues || isRead) && !entity.view;
  if (!isRead && !isWritten) return;
  const changed = entity.properties.find(
    ({ name, readExp, readValue, writeExp }) =>
      keys?.has(name) && (readExp ?? readValue ?? writeExp) !== undefined,
  );
  if (changed) {
    const what = `'${changed.name}' is a key or a foreign key, which cannot have a readExp, readValue or writeExp.`;
    report(node, what);
    return;
  }
  const key = entity.properties.find(
    ({ name, writeValue }) => entity.primaryKey.includes(name) && writeValue !== undefined,
  );
  if (key) {
    report(node, `'${key.name}' is part of the primary key, which cannot have a writeValue.`);
    return;
  }
  for (const { name: stage } of catalog.schema.stages) {
    const request = { stage, view: catalog.defaultView, limits };
    const compile = (expression: string) => () => compileQuery(catalog, { ...request, expression });
    if (isRead && catalog.locate(stage, entity.name, 'select')) {
      if (!reportAt(node, invalidOnly(compile(entity.name)), true)) return;
    }
    if (isWritten && catalog.locate(stage, entity.name, 'insert')) {
      if (!reportAt(node, invalidOnly(compile(`${entity.name}.insert()`)), true)) return;
    }
  }
}

function checkListener(
  catalog: Catalog,
  listener: Listener,
  { node, views }: { readonly node: DocumentNode; readonly views: readonly View[] },
): void {
  const { condition } = listener;
  if (condition !== undefined) {
    reportAt(childNode(node, 'condition'), () => readCondition(catalog, condition));
  }
  for (const phase of ['before', 'after', 'error'] as const) {
    const text = listener[phase];
    if (text === undefined) continue;
    reportAt(childNode(node, phase), () => {
      const step = readStep(catalog, text);
      if (step.kind === 'query') {
        const stages = catalog.schema.stages.map(({ name }) => name);
        checkInSomeStage(stages, (stage) => compileStep(catalog, text, stage));
      }
      if (step.kind === 'execute') checkExecute(catalog, step, views);
    });
  }
}

/**
 * A check that ignores errors of a query, which are reported to its client, and throws those of the
 * schema.
 */
function invalidOnly(check: () => unknown): () => unknown {
  return () => {
    try {
      return check();
    } catch (error) {
      if (error instanceof EngineError && error.code !== 'schema-invalid') return undefined;
      throw error;
    }
  };
}

/**
 * Reports the error of a check, and returns whether it succeeded. `isMasked`: its errors never contain
 * the text.
 */
function reportAt(node: DocumentNode, check: () => unknown, isMasked = false): boolean {
  try {
    check();
    return true;
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    // The error of an expression with an encryption key might contain a part of the key.
    const isSecret = !isMasked && holdsSecret(JSON.stringify(node.value) ?? '');
    if (isSecret)
      report(
        node,
        'The expression is invalid. The reason is hidden, because it might contain a part of an encryption key.',
      );
    else report(node, error.message, error.hint);
    return false;
  }
}
