/**
 * Lanes: whether requests of a query that wait together can run as one statement, and that
 * statement. An equality with a key takes a list of keys; any other read runs once for each row of
 * a list of arguments.
 */
import type { Argument, KeyedLane, Lane, LateralLane, Sentence } from '../compiled-query.js';
import type { Bound, BoundColumn, BoundSelect } from '../query/logical.js';
import { createAliases } from './aliases.js';
import type { Dialect } from './dialect.js';
import { dialectOf } from './dialects.js';
import { isOfRequest } from './lane-arguments.js';
import { type FoundKey, simpleKey } from './lane-key.js';
import { outputsOf } from './outputs.js';
import { knownArguments, renderColumn, type SentenceContext } from './render-expression.js';
import { renderSelect } from './render-select.js';
import { joinedLane, unitedLane } from './united-lane.js';

/** The lane of a query; undefined when each of its requests must run alone. */
export function laneOf(select: BoundSelect, root: Sentence): Lane | undefined {
  const dialect = dialectOf(root.dialect);
  if (computes(root)) return undefined;
  if (!dialect.amongKeys || !root.arguments.some(isOfRequest)) return undefined;
  if (root.arguments.some(isList) || root.inclusions.some((each) => differs(each.sentence, root))) {
    return undefined;
  }
  const lateral = dialect.hasLateral ? lateralLane(select, root, dialect) : undefined;
  const found = simpleKey(select);
  const keyed = found && keyedLane(select, found, dialect);
  if (lateral) return { lateral, ...(keyed && { keyed }) };
  if (keyed?.type === 'integer') return { keyed };
  const joined = found && joinedLane(select, found, dialect);
  if (joined) return { joined };
  const united = unitedLane(select, dialect);
  return united && { united };
}

/** Whether Rowgate computes anything from the rows: what fails for one fails for nobody else. */
function computes({ columns, inclusions }: Sentence): boolean {
  return columns.some(({ read }) => read) || inclusions.some(({ sentence }) => computes(sentence));
}

function isList(argument: Argument): boolean {
  return argument.kind === 'parameter' && argument.type.startsWith('[');
}

/** Children of several requests are fetched together: only if their sentence is the same for all. */
function differs(child: Sentence, root: Sentence): boolean {
  if (child.source !== root.source || child.arguments.some(isOfRequest)) return true;
  return child.inclusions.some(({ sentence }) => differs(sentence, root));
}

function keyedLane(select: BoundSelect, found: FoundKey, dialect: Dialect): KeyedLane | undefined {
  const { column, rest, path } = found;
  const outputs = outputsOf(select, undefined);
  const context: SentenceContext = { dialect, aliases: createAliases(), arguments: [] };
  context.aliases.of(select.row);
  const isInteger = column.type === 'integer';
  // Of an integer, by its digits: the column may be of decimals, which are written otherwise.
  const digits = dialect.cast(renderColumn(context, column), 'integer');
  const keyColumn = isInteger
    ? outputs.length
    : outputs.findIndex(({ value }) => isSameColumn(value, column));
  if (keyColumn === -1) return undefined;
  const text = renderSelect(context, {
    select: { ...select, filter: rest },
    outputs,
    parentKey: undefined,
    many: true,
    laneKey: column,
    ...(isInteger && { ordinal: digits }),
  });
  if (context.arguments.some(isOfRequest)) return undefined;
  const parameter = path.join('.');
  return { text, arguments: context.arguments, parameter, type: column.type, keyColumn };
}

function isSameColumn(value: Bound, column: BoundColumn): boolean {
  return value.kind === 'column' && value.row === column.row && value.column === column.column;
}

function lateralLane(select: BoundSelect, root: Sentence, dialect: Dialect): LateralLane {
  const listed = root.arguments.filter(isOfRequest);
  const shared: Argument[] = [];
  let next = 0;
  const stand = (argument: Argument): string => {
    if (isOfRequest(argument)) return `lane.p${++next}`;
    shared.push(argument);
    return dialect.placeholder(listed.length + shared.length);
  };
  const known = knownArguments(dialect, select.grouped);
  const aliases = createAliases();
  const context: SentenceContext = { dialect, aliases, arguments: [], stand, ...known };
  context.aliases.of(select.row);
  const outputs = outputsOf(select, undefined);
  const inner = renderSelect(context, { select, outputs, parentKey: undefined, many: true });
  const names = listed.map((_, index) => `p${index + 1}`);
  const lists = listed.map((_, index) => `${dialect.placeholder(index + 1)}::`);
  const [first = '', ...more] = lists;
  const tail = `[]) WITH ORDINALITY AS lane(${names.join(', ')}, ord)`;
  const pieces = [
    `SELECT t.*, lane.ord FROM unnest(${first}`,
    ...more.map((list) => `[], ${list}`),
    `${tail} CROSS JOIN LATERAL (${inner}) AS t`,
  ];
  const origins = root.arguments.flatMap((each, index) => (isOfRequest(each) ? [index] : []));
  return { pieces, listed, shared, origins };
}
