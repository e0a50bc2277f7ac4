/** Checks the expressions of views and mappings, by compiling each entity that has some. */
import { compileQuery } from '../compile.js';
import { EngineError } from '../errors.js';
import { keysOf, limits } from './check-expressions.js';
import { type Catalog, createCatalog, wholeCatalog } from '../schema/catalog.js';
import { childNode, type DocumentNode, namedNodes, report } from '../schema/document.js';
import type { MappingEntity, Schema } from '../schema/model.js';
import { readsOtherwise } from '../schema/restriction.js';

/** Reports errors at the nodes of the views' and mappings' entities. */
export function checkRowExpressions(schema: Schema, root: DocumentNode): void {
  const infrastructure = childNode(root, 'infrastructure');
  const catalog = createCatalog(schema);
  const views = namedNodes(childNode(infrastructure, 'views'));
  for (const view of schema.views) {
    const nodes = namedNodes(childNode(views.get(view.name) ?? root, 'entities'));
    for (const entity of view.entities) {
      if (entity.exclude === true || !readsOtherwise(entity)) continue;
      const node = nodes.get(entity.name);
      if (node) checkEntity({ catalog, view: view.name }, entity.name, node);
    }
  }
  const whole = wholeCatalog(schema);
  const keys = keysOf(schema);
  const mappings = namedNodes(childNode(infrastructure, 'mappings'));
  for (const mapping of schema.mappings) {
    const nodes = namedNodes(childNode(mappings.get(mapping.name) ?? root, 'entities'));
    for (const entity of mapping.entities.filter(isFiltered)) {
      const node = nodes.get(entity.name);
      const changed = entity.properties.find(
        ({ name, readMappingExp }) =>
          readMappingExp !== undefined && keys.get(entity.name)?.has(name),
      );
      if (changed) {
        const what = `'${changed.name}' is a key or a foreign key, which cannot have a readMappingExp.`;
        report(node ?? root, what);
      } else if (node) {
        checkEntity({ catalog: whole, view: whole.defaultView }, entity.name, node);
      }
    }
  }
}

function isFiltered({ filter, properties }: MappingEntity): boolean {
  return filter !== undefined || properties.some((each) => each.readMappingExp !== undefined);
}

interface CheckedView {
  readonly catalog: Catalog;
  readonly view: string;
}

function checkEntity({ catalog, view }: CheckedView, expression: string, node: DocumentNode): void {
  for (const { name: stage } of catalog.schema.stages) {
    if (!catalog.locate(stage, expression, 'select')) continue;
    try {
      compileQuery(catalog, { expression, stage, view, limits });
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      // The reason is hidden from clients, but not from the author of the file.
      const { cause } = error;
      const why = cause instanceof EngineError ? ` ${cause.message}` : '';
      report(node, error.message + why, cause instanceof EngineError ? cause.hint : error.hint);
      return;
    }
  }
}
