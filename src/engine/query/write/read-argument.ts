/** Reads the argument of a clause that writes: an object of the data, or assigned values by name. */
import { EngineError, type Span } from '../../errors.js';
import type { ClauseSyntax, Expression } from '../../language/ast.js';
import { pathOf } from '../../language/path-of.js';

export type WriteArgument =
  /** The object, or the list of objects, at a path of the data. */
  | { readonly kind: 'data'; readonly path: readonly string[] }
  | { readonly kind: 'entries'; readonly entries: readonly WriteEntry[] };

/** An assigned property and its value. */
export interface WriteEntry {
  readonly property: string;
  readonly span: Span;
  readonly value: Expression;
  /** The variable of the enclosing lambda. */
  readonly variable: string | undefined;
}

/** Reads `()`, `(entity)`, `({name: name})`, `([name, city])`, and lambdas of them. */
export function readArgument(clause: WrittenCall): WriteArgument {
  const [argument, extra] = clause.arguments;
  if (!argument) return { kind: 'data', path: [] };
  if (extra) throw wrong(clause, extra.span);
  if (argument.kind !== 'lambda') return read(clause, argument, undefined);
  return read(clause, argument.body, argument.parameter);
}

/** A call in the text: a clause, or a call after an included relation. */
export type WrittenCall = Pick<ClauseSyntax, 'name' | 'arguments'>;

function read(clause: WrittenCall, body: Expression, variable: string | undefined): WriteArgument {
  switch (body.kind) {
    case 'object': {
      const entries = body.entries.map(({ key: property, keySpan: span, value }) => {
        return { property, span, value, variable };
      });
      return { kind: 'entries', entries };
    }
    case 'list': {
      const entries = body.items.map((value) => {
        const { kind, span } = value;
        const property = pathOf(value)?.at(-1);
        if (property !== undefined) return { property, span, value, variable };
        throw wrong(clause, span, kind === 'object' ? LIST_HINT : undefined);
      });
      return { kind: 'entries', entries };
    }
    default: {
      const path = pathOf(body);
      const isDelete = /^(?:delete|remove)/i.test(clause.name);
      if (!path) throw wrong(clause, body.span, isDelete ? FILTER_HINT : undefined);
      const [head, ...rest] = path;
      if (head !== variable) return { kind: 'data', path };
      if (rest.length > 0) throw wrong(clause, body.span);
      return { kind: 'data', path: [] };
    }
  }
}

const LIST_HINT = 'Send the list as "data", and write bulkInsert() or bulkUpsert().';
const FILTER_HINT = "A filter selects rows: write '.delete().filter(p=>p.id==id)'.";

function wrong({ name }: WrittenCall, span: Span, better?: string): EngineError {
  const message = `Clause '${name}' takes an object of values, a list of names, or the name of an object in the data.`;
  const hint =
    better ?? `For example ${name}({name: name}), ${name}([name, city]) or ${name}(entity).`;
  return new EngineError('wrong-arguments', message, { span, hint });
}
