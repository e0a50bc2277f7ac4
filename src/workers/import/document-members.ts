/**
 * Checks the members around the rows of a document: `{"values": "stored", "entities": [{"entity":
 * "Orders", "rows": […]}]}`.
 */
import {
  type DataObject,
  type DataValue,
  didYouMean,
  EngineError,
  isDataObject,
  nameDataValue,
} from '../../engine/index.js';

/** The error for a document that is not JSON or does not have the form of an import. */
export function malformed(place: string, detail: string, hint?: string): EngineError {
  return new EngineError('import-malformed', detail, { hint, ...(place !== '' && { place }) });
}

/** Checks the members of the document that have been read so far. */
export function checkDocument(document: DataValue): DataObject {
  if (!isDataObject(document)) {
    const found = nameDataValue(document);
    throw malformed('', `The document must be an object with 'entities', not ${found}.`);
  }
  requireKnown(document, ['entities'], ['values'], '');
  const { entities = [], values = 'stored' } = document;
  if (values !== 'stored') throw malformed('values', `'values' can only be "stored".`);
  const items = listOf(entities, 'entities', 'a list');
  const other = items.findIndex((item) => !isDataObject(item));
  if (other >= 0) throw wrongEntity(other, items[other]);
  return document;
}

export function wrongEntity(index: number, found: DataValue | undefined): EngineError {
  const detail = `An item of 'entities' must be an object, not ${nameDataValue(found)}.`;
  return malformed(`entities[${index}]`, detail);
}

/** Checks the members of an item of `entities` read so far; returns the name of its entity. */
export function checkEntity(item: DataValue, place: string): string | undefined {
  if (!isDataObject(item)) throw malformed(place, `The entity is not an object.`);
  requireKnown(item, ['entity', 'rows'], [], `${place}.`);
  const { entity, rows = [] } = item;
  listOf(rows, `${place}.rows`, 'a list');
  if (entity === undefined || typeof entity === 'string') return entity;
  throw wrongMember(`${place}.entity`, 'the name of an entity', entity);
}

function listOf(value: DataValue, place: string, wanted: string): readonly DataValue[] {
  if (!Array.isArray(value)) throw wrongMember(place, wanted, value);
  const list: readonly DataValue[] = value;
  return list;
}

function wrongMember(place: string, wanted: string, found: DataValue): EngineError {
  const name = place.slice(place.lastIndexOf('.') + 1);
  return malformed(place, `'${name}' must be ${wanted}, not ${nameDataValue(found)}.`);
}

function requireKnown(
  object: DataObject,
  wanted: readonly string[],
  also: readonly string[],
  before: string,
): void {
  const other = Object.keys(object).find((name) => !wanted.includes(name) && !also.includes(name));
  if (other === undefined) return;
  const names = wanted.map((name) => `'${name}'`).join(' and ');
  const detail = `The member '${other}' is not known here; the members are ${names}.`;
  throw malformed(`${before}${other}`, detail, didYouMean(other, wanted));
}
