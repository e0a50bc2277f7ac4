/** The default limits for the syntax of queries. */
import type { SyntaxLimits } from '../../../src/engine/language/token-cursor.js';

export const limits: SyntaxLimits = { expressionLengthMax: 65_536, nestingMax: 64 };
