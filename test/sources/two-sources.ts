/**
 * A schema like those of lambdaorm's users: the products are in one database, and the orders in
 * another. A stage reads from copies and writes to the originals.
 */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

const file = new URL('../../schemas/northwind.yaml', import.meta.url);

/** How to connect to each source. */
export interface Connections {
  /** A URL, or its parts. */
  readonly catalog: unknown;
  readonly catalogDialect: 'PostgreSQL' | 'MariaDB';
  readonly crm: unknown;
  readonly copy: string;
}

/** The document of the sample domain with three sources. */
export function twoSourcesDocument(connections: Connections): unknown {
  const { catalog, catalogDialect, crm, copy } = connections;
  const { domain, infrastructure } = parse(readFileSync(file, 'utf8'));
  const isOfCatalog = 'entity.in(["Categories", "Products", "Suppliers"])';
  return {
    domain,
    infrastructure: {
      mappings: infrastructure.mappings,
      sources: [
        { name: 'Catalog', dialect: catalogDialect, connection: catalog },
        { name: 'Crm', dialect: 'PostgreSQL', connection: crm },
        { name: 'Copy', dialect: 'PostgreSQL', connection: copy },
      ],
      stages: [
        {
          name: 'default',
          sources: [{ name: 'Catalog', condition: isOfCatalog }, { name: 'Crm' }],
        },
        {
          name: 'cqrs',
          sources: [
            { name: 'Copy', condition: 'action == "select"' },
            { name: 'Catalog', condition: `write && ${isOfCatalog}` },
            { name: 'Crm', condition: 'write' },
          ],
        },
        { name: 'copies', sources: [{ name: 'Copy' }] },
        { name: 'orders', sources: [{ name: 'Crm', condition: 'entity == "Orders"' }] },
      ],
    },
  };
}
