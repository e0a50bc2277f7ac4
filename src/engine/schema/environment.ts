/**
 * Replaces variables in a schema document: `$NAME`, `${NAME}`, and `${NAME:-text}` with a default.
 * In `infrastructure`, values of variables that are connections may contain `${NAME}`, too.
 */
import type { Problem } from '../errors.js';
import { type DocumentNode, childNode, isRecord, report, rootNode } from './document.js';
import { throwProblems } from './problems.js';
import { holdsSecret } from './secret.js';

/** Variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * A copy of the document with its variables replaced. In the parts of `infrastructure` that Rowgate
 * reads, an unset variable is an error ('schema-invalid') with its name and place. Elsewhere, `$`
 * can be part of an expression, so only `${NAME}` of a set variable is replaced. The exceptions are
 * encryption keys: if their variable is not set, its name would be the key.
 */
export function substitute(document: unknown, environment: Environment): unknown {
  const { result, problems } = replaceVariables(document, environment);
  throwProblems(problems);
  return result;
}

/** Like `substitute`, but returns the problems; unset variables stay. */
export function replaceVariables(
  document: unknown,
  environment: Environment,
): { readonly result: unknown; readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const result = replaceIn(rootNode(document, problems), (node, text) =>
    isInfrastructure(node)
      ? replaceAll(node, text, environment)
      : replaceInExpression(node, text, environment),
  );
  return { result, problems };
}

type ReplaceText = (node: DocumentNode, text: string) => string;

function replaceIn(node: DocumentNode, replace: ReplaceText): unknown {
  const { value } = node;
  if (typeof value === 'string') return value.includes('$') ? replace(node, value) : value;
  if (Array.isArray(value)) {
    return value.map((_, index) => replaceIn(childNode(node, index), replace));
  }
  if (!isRecord(value)) return value;
  const members = Object.keys(value).map((key) => [key, replaceIn(childNode(node, key), replace)]);
  return Object.fromEntries(members);
}

// Variables in the other parts (`queue`, …), which the engine ignores, need not be set.
const readParts = new Set<string | number>(['mappings', 'sources', 'stages', 'views']);

function isInfrastructure(node: DocumentNode): boolean {
  const path: DocumentNode[] = [];
  for (let at: DocumentNode | undefined = node; at?.parent; at = at.parent) path.unshift(at);
  const part = path[1]?.key;
  return path[0]?.key === 'infrastructure' && part !== undefined && readParts.has(part);
}

// What is never closed is one match, too, so that the time does not grow with the square of the text's length.
const anyVariable = /\$(?:\{([A-Za-z_]\w*)(?::-([^}]*))?(?:\}|($))|([A-Za-z_]\w*))/g;

function replaceAll(node: DocumentNode, text: string, environment: Environment): string {
  return replaceOrReport(anyVariable, node, text, (name) => completeValue(name, environment));
}

type ReadVariable = (name: string) => string | undefined;

function replaceOrReport(
  pattern: RegExp,
  node: DocumentNode,
  text: string,
  read: ReadVariable,
): string {
  return text.replace(pattern, (whole: string, ...groups: readonly (string | undefined)[]) => {
    const [braced, fallback, unclosed, bare = ''] = groups;
    if (unclosed !== undefined) return whole;
    const name = braced ?? bare;
    const value = read(name) ?? fallback;
    if (value === undefined) {
      const hint = `Set ${name}, or write \${${name}:-text} to give it a default.`;
      report(node, `The variable '${name}' is not set.`, hint);
    }
    return value ?? whole;
  });
}

/** The JSON text of an object, or a URL. */
const connectionText = /^\s*(?:\{\s*"|[a-z][a-z0-9+.-]*:\/\/)/i;

const onlyVariable = /^\s*\$\{([A-Za-z_]\w*)\}\s*$/;

/**
 * The value of a variable. As in lambdaorm, that of a connection may contain others: `CNN={"host":"${DB_HOST}"}`, or
 * be that of another: `CNN=${DATABASE_URL}`.
 * Any other may be a password, so it stays as it is, and so do unset variables and the variable itself.
 */
function completeValue(name: string, environment: Environment): string | undefined {
  const value = variable(environment, name);
  if (value === undefined) return undefined;
  const others = { ...environment, [name]: undefined };
  if (connectionText.test(value)) return replaceKnown(value, others);
  const [, only] = onlyVariable.exec(value) ?? [];
  const connection = only === undefined ? undefined : completeValue(only, others);
  return connection !== undefined && connectionText.test(connection) ? connection : value;
}

const variableInBraces = /\$\{([A-Za-z_]\w*)(?::-([^}]*))?(?:\}|($))/g;
/** A template, in which `${name}` is a property of the row, or the text up to the next one. */
const templateOrText = /`[^`]*`?|[^`]+/g;

function replaceInExpression(node: DocumentNode, text: string, environment: Environment): string {
  if (!holdsSecret(text)) return replaceKnown(text, environment);
  return text.replace(templateOrText, (part) =>
    part.startsWith('`')
      ? replaceKnown(part, environment)
      : replaceOrReport(variableInBraces, node, part, (name) => variable(environment, name)),
  );
}

const bracedVariable = /\$\{([A-Za-z_]\w*)\}/g;

function replaceKnown(text: string, environment: Environment): string {
  return text.replace(
    bracedVariable,
    (whole: string, name: string) => variable(environment, name) ?? whole,
  );
}

function variable(environment: Environment, name: string): string | undefined {
  return Object.hasOwn(environment, name) ? environment[name] : undefined;
}

/** The text with its variables replaced; undefined if one of them is neither set nor has a default. */
export function substituteText(text: string, environment: Environment): string | undefined {
  let isComplete = true;
  const result = text.replace(
    anyVariable,
    (whole: string, ...groups: readonly (string | undefined)[]) => {
      const [braced, fallback, , bare = ''] = groups;
      const value = variable(environment, braced ?? bare) ?? fallback;
      isComplete &&= value !== undefined;
      return value ?? whole;
    },
  );
  return isComplete ? result : undefined;
}
