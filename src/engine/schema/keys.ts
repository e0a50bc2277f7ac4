/** The members of each kind of object in a schema file; `docs/schema-file.md` describes them. */

/** The members that a property can have in the domain and in a mapping. */
const property = [
  ...['name', 'description', 'type', 'length', 'precision', 'scale', 'required', 'nullable'],
  ...['autoIncrement', 'autoincrement', 'default', 'databaseDefault', 'enum', 'readOnly', 'view'],
  ...['key', 'readExp', 'readValue', 'writeValue', 'writeExp'],
];

/** lambdaorm computes these members of an entity, and writes them into the schemas that it exports. */
const computed = [
  ...['composite', 'intermediate', 'dependents', 'hadDefaults', 'hadReadExps', 'hadReadValues'],
  ...['hadWriteExps', 'hadWriteValues', 'hadViewReadExp'],
];

export const schemaKeys = {
  enum: ['name', 'abstract', 'extends', 'values'],
  enumValue: ['name', 'value'],
  entity: [
    ...['name', 'abstract', 'extends', 'singular', 'description', 'readOnly', 'view'],
    ...['primaryKey', 'uniqueKey', 'required', 'indexes', 'properties', 'relations'],
    ...['constraints', ...computed],
  ],
  property: [...property, 'primaryKey'],
  index: ['name', 'fields'],
  relation: [
    ...['name', 'type', 'from', 'entity', 'to', 'through', 'target', 'targetComposite'],
    ...['weak', 'composite'],
  ],
  through: ['entity', 'from', 'to'],
  constraint: ['message', 'condition'],
  // `mapping` and `format` configure databases that Rowgate does not support.
  mapping: ['name', 'extends', 'entities', 'mapping', 'format'],
  mappingEntity: [
    ...['name', 'abstract', 'extends', 'mapping', 'filter', 'properties'],
    // Identity columns replace `sequence`, which lambdaorm's files declare for Oracle.
    'sequence',
    // lambdaorm repeats the members of the entity in the schemas that it exports.
    ...['singular', 'view', 'primaryKey', 'uniqueKey', 'required', 'indexes', 'relations'],
    ...['constraints', ...computed, 'hadKeys', 'hadReadMappingExp'],
  ],
  mappingProperty: [...property, 'mapping', 'readMappingExp'],
  source: ['name', 'dialect', 'mapping', 'connection'],
  // pg calls `url` `connectionString`; mysql2 and mariadb call the path of a socket `socketPath`.
  connection: [
    ...['url', 'connectionString', 'host', 'port', 'socketPath'],
    ...['user', 'password', 'database', 'ssl', 'allowPublicKeyRetrieval'],
  ],
  tls: [
    ...['ca', 'cert', 'key', 'passphrase', 'servername', 'rejectUnauthorized'],
    ...['minVersion', 'maxVersion', 'ciphers'],
  ],
  // `dataSources` is lambdaorm's older name of `sources`.
  stage: ['name', 'view', 'sources', 'dataSources'],
  stageSource: ['name', 'condition'],
  view: ['name', 'entities'],
  viewEntity: ['name', 'exclude', 'readExp', 'properties'],
  viewProperty: ['name', 'exclude', 'readExp'],
  // `actions` is lambdaorm's older name of `on`.
  listener: ['name', 'on', 'actions', 'condition', 'before', 'after', 'error'],
} satisfies Record<string, readonly string[]>;
