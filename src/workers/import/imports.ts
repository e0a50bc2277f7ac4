/** The parts of an import, one for each source. */
import { invariant } from '../../engine/index.js';
import type { SourceImport } from './source-import.js';

/** The import of each source, by its name. */
export type Imports = ReadonlyMap<string, SourceImport>;

export function importOf(imports: Imports, source: string): SourceImport {
  const found = imports.get(source);
  invariant(found, `the source ${source} of the stage`);
  return found;
}
