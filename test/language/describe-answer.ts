/** Checks an answer against the descriptions of its query: names, types, lists and objects. */
import {
  type CompiledQuery,
  describeMetadata,
  describeModel,
  describeParameters,
  type ModelField,
  type MetadataNode,
} from '../../src/engine/index.js';

/** What does not fit `/model` and `/metadata` in the answer, a sentence for each. */
export function misfits(query: CompiledQuery, rows: unknown): string[] {
  const faults: string[] = [];
  const model = describeModel(query);
  checkRows(model, rows, '', faults);
  checkColumns(model, describeMetadata(query), '', faults);
  checkParameters(query, faults);
  return faults;
}

/** The model has the columns of the metadata, without the keys that join rows to their parents. */
function checkColumns(
  model: readonly ModelField[],
  statement: MetadataNode,
  path: string,
  faults: string[],
): void {
  const plain = model.filter(({ children }) => !children).map(({ name, type }) => ({ name, type }));
  const columns = statement.columns.filter(({ name }) => !name.startsWith('__'));
  if (JSON.stringify(plain) !== JSON.stringify(columns)) {
    faults.push(`${path}: the model has ${names(plain)}, the metadata ${names(columns)}`);
  }
  const related = model.filter(({ children }) => children);
  if (related.length !== statement.children.length) faults.push(`${path}: relations differ`);
  related.forEach((field, index) => {
    const child = statement.children[index];
    if (child) checkColumns(field.children ?? [], child, `${path}.${field.name}`, faults);
  });
}

/** Every parameter of the plan is described at some statement, with its type. */
function checkParameters(query: CompiledQuery, faults: string[]): void {
  const described = new Set<string>();
  const visit = (fields: ReturnType<typeof describeParameters>): void => {
    for (const { name, type, children } of fields) {
      described.add(`${name}: ${type}`);
      visit(children ?? []);
    }
  };
  visit(describeParameters(query));
  for (const { name, type } of query.parameters) {
    if (!described.has(`${name}: ${type}`))
      faults.push(`parameter ${name}: ${type} is not described`);
  }
}

function checkRows(
  model: readonly ModelField[],
  rows: unknown,
  path: string,
  faults: string[],
): void {
  if (!Array.isArray(rows)) return void faults.push(`${path}: not a list`);
  for (const row of rows) checkRow(model, row, path, faults);
}

function checkRow(
  model: readonly ModelField[],
  row: unknown,
  path: string,
  faults: string[],
): void {
  const visible = model.filter(({ name }) => name !== 'ServiceParentId');
  if (typeof row !== 'object' || row === null) return void faults.push(`${path}: not an object`);
  const entries = Object.entries(row);
  if (names(visible) !== entries.map(([name]) => name).join()) {
    faults.push(`${path}: the model has ${names(visible)}, a row ${Object.keys(row).join()}`);
  }
  for (const [name, value] of entries) {
    const field = visible.find((each) => each.name === name);
    if (field) checkValue(field, value, `${path}.${name}`, faults);
  }
}

function checkValue(field: ModelField, value: unknown, path: string, faults: string[]): void {
  const { type, children } = field;
  if (children) {
    if (type.endsWith('[]')) checkRows(children, value, path, faults);
    else if (value !== null) checkRow(children, value, path, faults);
  } else if (value !== null && !fits(type, value)) {
    faults.push(`${path}: ${JSON.stringify(value)} is no ${type}`);
  }
}

const moment = /^([+-]\d{6}|\d{4})-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(\d{3})?Z$/;

/** Numbers are given as `number …` with canonical digits; an integer has no negative exponent. */
function fits(type: string, value: unknown): boolean {
  const isNumber = typeof value === 'string' && value.startsWith('number ');
  switch (type) {
    case 'integer':
      return isNumber && !/e-\d+$/.test(value);
    case 'decimal':
    case 'number':
      return isNumber;
    case 'boolean':
      return typeof value === 'boolean';
    case 'dateTime':
      return typeof value === 'string' && moment.test(value);
    case 'date':
      return typeof value === 'string' && moment.test(value) && value.endsWith('T00:00:00.000Z');
    case 'time':
      return typeof value === 'string' && /^\d\d:\d\d:\d\d(\.\d{3}(\d{3})?)?$/.test(value);
    case 'any':
      return true;
    default:
      return typeof value === 'string' && !isNumber;
  }
}

function names(fields: readonly { readonly name: string }[]): string {
  return fields.map(({ name }) => name).join();
}
