/** The default limits of a deployment, as far as syntax goes. */
import type { SyntaxLimits } from '../../../src/engine/language/token-cursor.js';

export const limits: SyntaxLimits = { expressionLengthMax: 65_536, nestingMax: 64 };
