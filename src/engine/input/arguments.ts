/**
 * Converts the data of a request to the parameters of its query, checked before any SQL runs, and to
 * the placeholders of each statement.
 */
import type {
  AnsweredParameters,
  Argument,
  CompiledQuery,
  CursorPlan,
  Parameter,
  StatementPlan,
  ValueType,
} from '../compiled-query.js';
import { EngineError, invariant } from '../errors.js';
import { listHint } from '../query/functions/bind-list.js';
import { isNumeric } from '../query/types.js';
import { isArray } from '../schema/array-types.js';
import type { PropertyType } from '../schema/model.js';
import type { Dialect } from '../dialects/dialect.js';
import { dialectOf } from '../dialects/dialects.js';
import { markOf } from '../variant.js';
import { DATA_DEPTH_MAX, dataJson } from '../values/data-json.js';
import { dateTimeText } from '../values/date-text.js';
import {
  type DataObject,
  type DataValue,
  ExactNumber,
  isDataList,
  isDataObject,
  nameDataValue,
  isItems,
  type ParameterText,
  valueAt,
} from '../values/data-value.js';
import { describeMisfit, nameScalarType } from '../values/describe-misfit.js';
import { requireEnums } from './require-enums.js';
import { isBeyondInteger } from './impossible-keys.js';
import { checkCounts, countText } from './count-text.js';
import { misspelt } from './misspelt.js';
import { isNumber, markOpenParameters } from './open-parameters.js';
import { type OtherTexts, scalarText } from '../values/scalar-text.js';
import { spreadLists } from './spread-lists.js';

/** The values of parameters, by their dotted names. */
export interface ParameterTexts {
  get(name: string): ParameterText | undefined;
}

export interface ParameterValues {
  readonly texts: ParameterTexts;
  /**
   * Marks of the parameter values for which the plan must be compiled again; usually empty. See
   * `variant.ts`.
   */
  readonly variant: readonly string[];
  /** The time of `now`, `today` and `curTime`, as ISO 8601. */
  readonly instant: string | undefined;
  /** The JSON texts of parameters that are returned as they were sent. */
  readonly json?: ReadonlyMap<string, string | null> | undefined;
  /**
   * The values of `writeValue` by property, which are stored in place of the given ones; see {@link
   * checkFilteredWrite}.
   */
  readonly changed?: ReadonlyMap<string, string | null>;
}

/**
 * Reads every parameter of `plan` from `data`. `instant` is the time of the request in ISO 8601, which
 * is the same for all its statements; a plan that reads the clock requires it. Names that are not
 * parameters are ignored. Throws `data-malformed`, `parameter-missing`, `parameter-type` or
 * `value-out-of-range`.
 */
export function readArguments(
  plan: CompiledQuery,
  data: DataValue | undefined,
  instant?: string,
): ParameterValues {
  if (data !== undefined && data !== null && !isDataObject(data)) {
    const found = nameDataValue(data);
    throw new EngineError('data-malformed', `The data must be a JSON object, not ${found}.`);
  }
  const { parameters, nullSensitive, numberSensitive, answered, cursor } = plan;
  const json = answered && new Map<string, string | null>();
  const texts = new Map<string, ParameterText>();
  const variant: string[] = [];
  for (const parameter of parameters) {
    const { name } = parameter;
    const value = valueNamed(data ?? noData, name);
    if (name === cursor?.parameter) {
      readCursor({ ...cursor, dialect: plan.root.dialect }, value, texts, variant);
      continue;
    }
    if (value === undefined) {
      const hint = hintForMissing(name, data ?? noData, parameters);
      throw missingParameter(name, `data.${name}`, hint);
    }
    if (json && answered && isAnswered(answered, name)) json.set(name, jsonText(name, value));
    if (answered?.only.includes(name)) {
      // A variant of the plan may order by the string.
      texts.set(name, typeof value === 'string' ? value : (json?.get(name) ?? null));
      continue;
    }
    const isCompared = numberSensitive.length > 0 && numberSensitive.includes(name);
    const text = isCompared
      ? comparedText(parameter, value, variant)
      : parameterText(parameter, value);
    texts.set(name, text);
    if (text === null && nullSensitive.includes(name)) variant.push(markOf('nulls', name));
  }
  markOpenParameters(plan, (name) => valueNamed(data ?? noData, name), variant);
  const values = { texts, variant, instant, json };
  checkCounts(plan.root, values);
  return values;
}

/**
 * The parts of a cursor, which is a list by now: see `page-cursor.ts` of the workers. Stored values may be texts that
 * requests cannot send otherwise, such as the time `25:00:00`, the date `2024-00-00`, or a string with U+0000. An address, an interval or a UUID may be stored in another form,
 * and even another text where the database has no such type.
 */
function readCursor(
  { parameter, types, dialect }: CursorPlan & Pick<StatementPlan, 'dialect'>,
  value: DataValue | undefined,
  texts: Map<string, ParameterText>,
  variant: string[],
): void {
  if (!isDataList(value)) {
    variant.push(markOf('nulls', parameter));
    return;
  }
  const { storedTexts } = dialectOf(dialect).writes;
  for (const [index, type] of types.entries()) {
    const name = `${parameter}.${index}`;
    const part = value[index];
    const isText = typeof part === 'string' && ['inet', 'interval', 'uuid'].includes(type);
    const isRead = !isText || dialect === 'PostgreSQL';
    const read = isRead ? storedOrSent({ name, type }, part, storedTexts) : part;
    const text = isText ? part : read;
    texts.set(name, text);
    if (text === null) variant.push(markOf('nulls', name));
  }
}

function storedOrSent(
  parameter: Parameter,
  part: DataValue | undefined,
  stored: OtherTexts,
): ParameterText {
  const { type } = parameter;
  const isStored = typeof part === 'string' && !isListType(type) && Object.hasOwn(stored, type);
  const text = isStored ? scalarText(type, part, stored) : undefined;
  return text ?? parameterText(parameter, part);
}

function isAnswered({ only, also }: AnsweredParameters, name: string): boolean {
  return only.includes(name) || also.includes(name);
}

function jsonText(name: string, value: DataValue): string | null {
  if (value === null) return null;
  const text = dataJson(value);
  if (text !== undefined) return text;
  const message = `Lists and objects nest more than ${DATA_DEPTH_MAX} deep in parameter '${name}'.`;
  throw new EngineError('parameter-type', message, { place: `data.${name}` });
}

const noData: DataObject = {};

/**
 * The text of a parameter that is compared with integers. If its value is another number, adds a mark
 * to `variant`.
 */
function comparedText(
  parameter: Parameter,
  value: DataValue | undefined,
  variant: string[],
): ParameterText {
  const isList = isListType(parameter.type);
  const isOther = isList && Array.isArray(value) ? value.some(isOtherNumber) : isOtherNumber(value);
  if (!isOther) return parameterText(parameter, value);
  variant.push(markOf('otherNumbers', parameter.name));
  return parameterText({ ...parameter, type: isList ? '[decimal]' : 'decimal' }, value);
}

function isOtherNumber(value: DataValue | undefined): boolean {
  if (value === undefined || value === null || Number.isSafeInteger(value)) return false;
  const text = scalarText('integer', value);
  if (text === undefined) return scalarText('decimal', value) !== undefined;
  return isBeyondInteger(text);
}

/** What is sent to a database: the text of a statement, and the texts of its placeholders. */
export interface ParameterizedStatement {
  readonly text: string;
  readonly parameters: readonly (string | null)[];
  /** The type of each text, if the dialect's protocol sends types; otherwise empty. */
  readonly types?: readonly PropertyType[];
}

/** The parts of a statement that determine what is sent. */
export type SentText = Pick<StatementPlan, 'dialect' | 'text' | 'arguments'>;

/** A statement with the values of its placeholders. `parentKeys` fill arguments of that kind. */
export function parameterizeStatement(
  statement: SentText,
  values: ParameterValues,
  parentKeys: readonly string[],
): ParameterizedStatement {
  const dialect = dialectOf(statement.dialect);
  const texts = argumentTexts(statement, values, parentKeys);
  if (dialect.list) {
    const parameters = texts.every(isOne) ? texts : texts.map(flat(dialect.list));
    return { text: statement.text, parameters };
  }
  const types = statement.arguments.map(typeOfArgument);
  if (texts.some(isItems)) {
    const parts = statement.arguments.map((argument) =>
      argument.kind === 'parentKeys' ? argument.parts : undefined,
    );
    return spreadLists(statement.text, texts, types, parts);
  }
  return { text: statement.text, parameters: texts.filter(isOne), types };
}

function isOne(text: ParameterText): text is string | null {
  return !isItems(text);
}

function flat(list: NonNullable<Dialect['list']>): (text: ParameterText) => string | null {
  return (text) => (isItems(text) ? list(text) : text);
}

function argumentTexts(
  statement: SentText,
  values: ParameterValues,
  parentKeys: readonly string[],
): readonly ParameterText[] {
  const dialect = dialectOf(statement.dialect);
  const binary = (text: string) => dialect.scalar(text, 'binary');
  return statement.arguments.map((argument) => {
    switch (argument.kind) {
      case 'literal':
        return dialect.scalar(argument.text, argument.type);
      case 'changed': {
        const text = values.changed?.get(argument.property) ?? null;
        return text === null ? null : dialect.scalar(text, argument.type);
      }
      case 'instant':
        return dialect.scalar(instantText(argument.type, values.instant), argument.type);
      case 'parentKeys':
        return argument.type === 'binary' ? parentKeys.map(binary) : parentKeys;
      case 'count':
      case 'pageStart':
      case 'pageEnd':
        return countText(argument, values);
      case 'parameter': {
        const name = nameOfPath(argument.path);
        if (argument.isJson) return values.json?.get(name) ?? null;
        const text = values.texts.get(name) ?? null;
        const type = elementType(argument.type);
        // A null list is treated like a list whose only item is null: whether it contains a value
        // is unknown.
        if (text === null) return isListType(argument.type) ? [null] : null;
        if (typeof text === 'string') {
          const scalar = dialect.scalar(text, type);
          return argument.isBounded ? (dialect.bounded?.(scalar) ?? scalar) : scalar;
        }
        return text.map((item) => (item === null ? null : dialect.scalar(item, type)));
      }
    }
  });
}

function nameOfPath(path: readonly string[]): string {
  const [name = ''] = path;
  return path.length === 1 ? name : path.join('.');
}

/** The type in which the text of an argument is sent. */
function typeOfArgument(argument: Argument): PropertyType {
  switch (argument.kind) {
    case 'count':
    case 'pageStart':
    case 'pageEnd':
      return 'integer';
    case 'parameter':
      return elementType(argument.type);
    default:
      return argument.type;
  }
}

function instantText(type: 'dateTime' | 'date' | 'time', instant: string | undefined): string {
  const text = instant === undefined ? undefined : dateTimeText(instant);
  invariant(text !== undefined, 'a plan that asks for the time is given the instant');
  if (type === 'dateTime') return text;
  const [date = '', time = ''] = text.split('T');
  return type === 'date' ? date : time.replace('Z', '');
}

/** The type of a list's items; a scalar type is returned unchanged. */
export function elementType(type: ValueType): PropertyType {
  return isListType(type) ? (type.slice(1, -1) as PropertyType) : type;
}

function isListType(type: ValueType): type is `[${PropertyType}]` {
  return type.startsWith('[');
}

function valueNamed(data: DataObject, name: string): DataValue | undefined {
  if (name.includes('.')) return valueAt(data, name.split('.'));
  return Object.hasOwn(data, name) ? data[name] : undefined;
}

/**
 * The text of a parameter's value, which the object at `place` has under the parameter's name. Throws
 * `parameter-missing`, `parameter-type` and `value-out-of-range`.
 */
export function parameterText(
  parameter: Parameter,
  value: DataValue | undefined,
  place = 'data',
): ParameterText {
  const { name, type, enums } = parameter;
  if (value === undefined) {
    throw missingParameter(name, `${place}.${name}`);
  }
  if (value === null) return null;
  const scalar = (each: DataValue, own: string): string => {
    const text = scalarText(elementType(type), each);
    if (text === undefined) {
      throw wrongType({ ...parameter, name: own, type: elementType(type) }, each, place);
    }
    if (isBeyondDouble(elementType(type), each)) {
      const message = `The number of parameter '${own}' is beyond the range of a double.`;
      throw new EngineError('value-out-of-range', message, { place: `${place}.${own}` });
    }
    if (enums) requireEnums(enums, text, own, place);
    return text;
  };
  if (!isListType(type)) return scalar(value, name);
  if (!isDataList(value)) throw wrongType(parameter, value, place);
  return value.map((each, index) => (each === null ? null : scalar(each, `${name}[${index}]`)));
}

/** Whether the value is a number, or the digits of one, that a double cannot approximate. */
function isBeyondDouble(type: PropertyType, value: DataValue): boolean {
  if (!isNumeric(type) && type !== 'any') return false;
  const text = value instanceof ExactNumber ? value.text : type === 'any' ? '' : value;
  return typeof text === 'string' && !Number.isFinite(Number(text));
}

function wrongType({ name, type, isOfJson }: Parameter, value: DataValue, place: string) {
  const found = isListType(type)
    ? `was given ${nameDataValue(value)}`
    : describeMisfit(elementType(type), value);
  const message = `Parameter '${name}' takes ${describeType(type)}, but ${found}.`;
  const hint =
    isOfJson && isNumber(value)
      ? 'A part of JSON is compared with a parameter as a string: to compare numbers, write toNumber(…) around the part.'
      : Array.isArray(value) && !isListType(type) && !isArray(type)
        ? listHint
        : undefined;
  return new EngineError('parameter-type', message, { place: `${place}.${name}`, hint });
}

function describeType(type: ValueType): string {
  const text = nameScalarType(elementType(type));
  return isListType(type) ? `a list in which each item is ${text}` : text;
}

/** The error for a parameter that the data does not contain. */
export function missingParameter(name: string, place: string, hint?: string): EngineError {
  const message = `The data has no value for parameter '${name}'.`;
  return new EngineError('parameter-missing', message, { place, hint });
}

/** What may have been meant: a member of the data with a similar name, another row, or a property. */
function hintForMissing(name: string, data: DataObject, parameters: readonly Parameter[]): string {
  const used = new Set(parameters.map((each) => each.name.split('.')[0] ?? ''));
  const similar = misspelt(name, data, used);
  if (similar !== undefined) return `The data has '${similar}', which no parameter uses.`;
  const [first = '', second] = name.split('.');
  return second === undefined
    ? `Send it as "data": {"${name}": …}, or write 'p.${name}' for a property of the row p.`
    : `If '${first}' stands for a row, its lambda must begin with '${first}=>'.`;
}
