/**
 * What the database says of a plan's statement that the plan itself cannot know: the types of its
 * arguments, and with them which statement serves several requests.
 */
import {
  type CompiledQuery,
  type Lane,
  type ParameterValues,
  sentenceStatement,
} from '../../engine/index.js';
import type { Session } from '../database/source.js';
import { UNITED_MAX } from './united-batch.js';

/** The statement of a lane: by keys, or once for each row of a list of arguments. */
export type LaneShape =
  | {
      readonly kind: 'keyed';
      readonly keyed: NonNullable<Lane['keyed']>;
      readonly isInteger: boolean;
    }
  | {
      readonly kind: 'lateral';
      readonly lateral: NonNullable<Lane['lateral']>;
      readonly text: string;
    }
  | { readonly kind: 'united'; readonly united: NonNullable<Lane['united']> }
  | { readonly kind: 'joined'; readonly joined: NonNullable<Lane['joined']> };

// With a modifier of -1 a type is named as it is without one: `character` alone is `character(1)`.
const ASK = `SELECT format_type(type, -1),
  EXISTS (SELECT FROM pg_collation WHERE NOT collisdeterministic)
FROM pg_prepared_statements, unnest(parameter_types) WITH ORDINALITY AS types(type, place)
WHERE statement = $1 ORDER BY place`;

const integers = new Set(['smallint', 'integer', 'bigint']);
const texts = new Set(['text', 'character varying']);

/**
 * Asks the database, which must be let prepare the plan's own statement first: it runs once, for a
 * row at most. Undefined when the plan has no lane, or statements are not prepared by name.
 */
export async function askLaneShape(
  session: Session,
  { lane, root }: CompiledQuery,
  values: ParameterValues,
): Promise<LaneShape | undefined> {
  if (!lane) return undefined;
  const { keyed, lateral } = lane;
  if (!lateral) return shapeUnasked(lane);
  const own = sentenceStatement(root, values, []);
  await session.fetch([own], 1, true);
  const [rows = []] = await session.fetch([{ text: ASK, parameters: [root.text] }], 0, true);
  const types = rows.map(([type]) => type ?? undefined);
  const hasLooseCollation = rows[0]?.[1];
  // A keyed plan has one argument of the request.
  const keyType = keyed && types[lateral.origins[0] ?? 0];
  if (keyed && keyType !== undefined) {
    if (integers.has(keyType)) return { kind: 'keyed', keyed, isInteger: true };
    const isExact = texts.has(keyType) && hasLooseCollation === 'f';
    if (isExact) return { kind: 'keyed', keyed, isInteger: false };
  }
  const listed = lateral.origins.map((origin) => types[origin]);
  if (listed.some((type) => type === undefined || type.endsWith('[]'))) return undefined;
  return { kind: 'lateral', lateral, text: interleave(lateral.pieces, listed) };
}

/**
 * MySQL and MariaDB are not asked: a row whose key is not written as a request has it is nobody's,
 * and has its batch run one by one. Texts are equal by collations, which only the database knows.
 */
function shapeUnasked({ keyed, joined, united }: Lane): LaneShape | undefined {
  if (keyed?.type === 'integer') return { kind: 'keyed', keyed, isInteger: true };
  if (joined) return { kind: 'joined', joined };
  return united && { kind: 'united', united };
}

/** Requests that one statement of the plan serves at most. */
export function requestsMax({ lane }: CompiledQuery): number {
  return lane?.united ? UNITED_MAX : Number.POSITIVE_INFINITY;
}

/** Names of types come from the catalog of the database, quoted where that is needed. */
function interleave(pieces: readonly string[], types: readonly (string | undefined)[]): string {
  return pieces.map((piece, index) => piece + (types[index] ?? '')).join('');
}
