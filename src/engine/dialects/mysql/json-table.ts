/** Tables in the FROM clause of a sub-select that are computed from the row around it. */

/** The table `alias` of the items of a JSON array, with the columns of JSON_TABLE. */
export type JsonTable = (array: string, columns: string, alias: string) => string;

export const mariadbJsonTable: JsonTable = (array, columns, alias) =>
  `JSON_TABLE(${array}, '$[*]' COLUMNS (${columns})) AS ${alias}`;

/** A sub-select in an argument of JSON_TABLE cannot read the row around it (MySQL 9.7). */
export const mysqlJsonTable: JsonTable = (array, columns, alias) =>
  `${lateral(`${array} AS array`, `${alias}_of`)}, ${mariadbJsonTable(`${alias}_of.array`, columns, alias)}`;

/** A row of values, each computed once: without LIMIT, MySQL would write the values where the names are. */
export function lateral(values: string, alias: string): string {
  return `LATERAL (SELECT ${values} LIMIT 1) AS ${alias}`;
}
