/**
 * Reads a schema file in YAML, which includes JSON. Errors in the text have a line and a column; the
 * engine checks the content.
 */
import { readFile } from 'node:fs/promises';
import { Composer, type CST, type Document, isPair, Lexer, LineCounter, Parser, visit } from 'yaml';
import {
  checkSchema,
  EngineError,
  type Environment,
  invariant,
  type Position,
  type Problem,
  substitute,
} from '../engine/index.js';
import { messageOf } from '../gateway/error-message.js';
import { offsetOfPlace } from './schema-place.js';

/** Far more than a schema needs. */
const NESTING_MAX = 200;

/** Valid YAML. Its variables are not replaced, and its content is not checked. */
export interface SchemaFile {
  readonly path: string;
  readonly document: unknown;
  /** Line and column, from 1, of a place like `domain.entities[3].name`, or of the nearest one around. */
  readonly positionOf: (place: string) => Position;
}

/** With variables replaced. Throws 'schema-invalid' with file, line and column of every error. */
export async function readSchemaFile(path: string, environment: Environment): Promise<unknown> {
  const file = await openSchemaFile(path);
  const problems = checkSchema(file.document, environment);
  if (problems.length === 0) return substitute(file.document, environment);
  const message = problems.map((problem) => problemLine(file, problem)).join('\n');
  throw new EngineError('schema-invalid', message, { place: problems[0]?.place });
}

/** A problem on one line: file, line and column, place, detail and hint. */
function problemLine(file: SchemaFile, { place, detail, hint }: Problem): string {
  const { ln, col } = file.positionOf(place ?? '');
  return [`${file.path}:${ln}:${col}:`, place && `${place}:`, detail, hint]
    .filter(Boolean)
    .join(' ');
}

/** Does not replace variables. Throws an EngineError like {@link readSchemaFile}. */
export async function openSchemaFile(path: string): Promise<SchemaFile> {
  const text = await readText(path);
  const lines = new LineCounter();
  // Otherwise the parser prints warnings; what it warns of is an error of the schema.
  const composer = new Composer({ prettyErrors: false, logLevel: 'error', merge: true });
  const documents = composer.compose(flatTokens(path, text, lines), true, text.length);
  const [parsed, another] = documents;
  invariant(parsed, 'even an empty text has a document');
  const positionAt = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { ln: Math.max(line, 1), col: Math.max(col, 1) };
  };
  const [fault] = parsed.errors;
  if (fault) throw syntaxError(path, fault.message, positionAt(fault.pos[0]));
  if (another)
    throw syntaxError(path, 'The file contains several documents.', positionAt(another.range[0]));
  return {
    path,
    document: toPlain(path, parsed),
    positionOf: (place) => positionAt(offsetOfPlace(parsed, place)),
  };
}

/**
 * The tokens of the text. Throws if it nests so deeply that the composer would exhaust the stack, which can
 * end the process. The parser has a stack of its own.
 */
function* flatTokens(path: string, text: string, lines: LineCounter): Generator<CST.Token, void> {
  const parser = new Parser(lines.addNewLine);
  lines.addNewLine(0);
  for (const lexeme of new Lexer().lex(text)) {
    yield* parser.next(lexeme);
    if (parser.stack.length <= NESTING_MAX) continue;
    const { line, col } = lines.linePos(parser.offset);
    const reason = `The file nests deeper than ${NESTING_MAX} levels.`;
    throw syntaxError(path, reason, { ln: line, col });
  }
  yield* parser.end();
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const message = `The schema file cannot be read: ${messageOf(error)}.`;
    throw new EngineError('schema-invalid', message, { place: path });
  }
}

/**
 * The plain values. A number that JavaScript would write otherwise becomes text, so that it keeps its digits: `007`, or more of
 * them than a double has. `0x1f` stays a number, and so does `0.10` in an enum, where its value counts. The parser refuses
 * aliases that multiply into billions of nodes.
 */
function toPlain(path: string, parsed: Document.Parsed): unknown {
  visit(parsed, {
    Scalar: (_, scalar, ancestors) => {
      const { value, source = '' } = scalar;
      if (typeof value !== 'number' || source === '' || source === String(value)) return;
      const isInEnum = ancestors.some((node) => isPair(node) && String(node.key) === 'enums');
      if (!/^0[xo]/.test(source) && !(isInEnum && isExactNumber(source))) scalar.value = source;
    },
  });
  try {
    return parsed.toJS();
  } catch (error) {
    throw syntaxError(path, messageOf(error), { ln: 1, col: 1 });
  }
}

/** Whether a double has all digits of the number. */
function isExactNumber(source: string): boolean {
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(source) && source.replace(/\D/g, '').length <= 15;
}

function syntaxError(path: string, reason: string, position: Position): EngineError {
  const where = `${path}:${position.ln}:${position.col}`;
  return new EngineError('schema-invalid', `${where}: ${reason}`, { position, place: path });
}
