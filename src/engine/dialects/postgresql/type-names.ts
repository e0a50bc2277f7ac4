/**
 * The names that mean a type of PostgreSQL itself, whatever types a database has: those in `pg_catalog` (PostgreSQL 18),
 * and the words of the grammar (manual, appendix C: "cannot be function or type").
 */
export const builtInTypes: ReadonlySet<string> = new Set(
  `
  aclitem any anyarray anycompatible anycompatiblearray anycompatiblemultirange anycompatiblenonarray
  anycompatiblerange anyelement anyenum anymultirange anynonarray anyrange bigint bit bool boolean box bpchar
  bytea char character cid cidr circle cstring date datemultirange daterange dec decimal double event_trigger
  fdw_handler float float4 float8 gtsvector index_am_handler inet int int2 int2vector int4 int4multirange
  int4range int8 int8multirange int8range integer internal interval json jsonb jsonpath language_handler line
  lseg macaddr macaddr8 money name national nchar numeric nummultirange numrange oid oidvector path point
  polygon real record refcursor regclass regcollation regconfig regdictionary regnamespace regoper regoperator
  regproc regprocedure regrole regtype setof smallint table_am_handler text tid time timestamp timestamptz
  timetz trigger tsm_handler tsmultirange tsquery tsrange tstzmultirange tstzrange tsvector txid_snapshot
  unknown uuid varbit varchar void xid xid8 xml
`
    .trim()
    .split(/\s+/),
);
