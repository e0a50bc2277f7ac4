/** Schema files with one error in their infrastructure or application. */
import { type BadFile, cities, infrastructure } from './bad-file.js';

export const badInfrastructures: readonly BadFile[] = [
  {
    comment: 'a mapping of an unknown entity',
    file: infrastructure('  mappings: [{name: default, entities: [{name: Citys}]}]'),
    place: 'infrastructure.mappings[0].entities[0].name',
    detail: "There is no entity 'Citys' in the domain.",
    hint: "Did you mean 'Cities'?",
  },
  {
    comment: 'a mapping of an unknown property',
    file: infrastructure(
      '  mappings: [{name: default, entities: [{name: Cities, properties: [{name: nam, mapping: NAME}]}]}]',
    ),
    place: 'infrastructure.mappings[0].entities[0].properties[0].name',
    detail: "There is no property 'nam' in 'Cities'.",
    hint: "Did you mean 'name'?",
  },
  {
    comment: 'an unknown member of a mapping entity',
    file: infrastructure(
      '  mappings: [{name: default, entities: [{name: Cities, table: CITIES}]}]',
    ),
    place: 'infrastructure.mappings[0].entities[0].table',
    detail: "There is no member 'table' here.",
  },
  {
    comment: 'an unknown base of a mapping',
    file: infrastructure('  mappings: [{name: default}, {name: other, extends: defaults}]'),
    place: 'infrastructure.mappings[1].extends',
    detail: "There is no 'defaults' to extend.",
    hint: "Did you mean 'default'?",
  },
  {
    comment: 'a source without a dialect',
    file: infrastructure('  sources: [{name: default}]'),
    place: 'infrastructure.sources[0].dialect',
    detail: "The source 'default' has no dialect.",
  },
  {
    comment: 'an unsupported dialect',
    file: infrastructure('  sources: [{name: default, dialect: MongoDB}]'),
    place: 'infrastructure.sources[0].dialect',
    detail: "'MongoDB' is not a valid choice.",
  },
  {
    comment: 'an unknown mapping',
    file: infrastructure('  sources: [{name: default, dialect: MySQL, mapping: mysql}]'),
    place: 'infrastructure.sources[0].mapping',
    detail: "There is no mapping 'mysql'.",
  },
  {
    comment: 'a connection that is a number',
    file: infrastructure('  sources: [{name: default, dialect: MySQL, connection: 5}]'),
    place: 'infrastructure.sources[0].connection',
    detail: 'Expected an object, its JSON text or a URL, found a number.',
  },
  {
    comment: 'a connection with invalid JSON',
    file: infrastructure('  sources: [{name: default, dialect: MySQL, connection: "{host"}]'),
    place: 'infrastructure.sources[0].connection',
    detail: 'The connection must be an object, its JSON text, or a URL.',
    hint: 'It begins with { and is not JSON: a shell removes its quotes unless all of it is in single quotes.',
  },
  {
    comment: 'a connection that is neither JSON nor a URL',
    file: infrastructure('  sources: [{name: default, dialect: MySQL, connection: localhost}]'),
    place: 'infrastructure.sources[0].connection',
    detail: 'The connection must be an object, its JSON text, or a URL.',
    hint: 'A URL looks like postgresql://user:password@host:5432/database.',
  },
  {
    comment: 'a host that is a variable without a value',
    file: infrastructure(
      `  sources: [{name: default, dialect: MySQL, connection: '{"host":"\${DB_HOST}","password":"secret"}'}]`,
    ),
    place: 'infrastructure.sources[0].connection',
    detail: "The variable 'DB_HOST' in the host is not set.",
  },
  {
    comment: 'a host of a URL that is a variable without a value',
    file: infrastructure(
      `  sources: [{name: default, dialect: PostgreSQL, connection: 'postgresql://u:\${p@\${DB_HOST:-here}:5432/x'}]`,
    ),
    place: 'infrastructure.sources[0].connection',
    detail: "The variable 'DB_HOST' in the host is not set.",
  },
  {
    comment: 'an invalid port',
    file: infrastructure('  sources: [{name: default, dialect: MySQL, connection: {port: none}}]'),
    place: 'infrastructure.sources[0].connection.port',
    detail: 'Expected a whole number greater than zero, found "none".',
  },
  {
    comment: 'a misspelt member of a connection',
    file: infrastructure('  sources: [{name: default, dialect: MySQL, connection: {pasword: x}}]'),
    place: 'infrastructure.sources[0].connection.pasword',
    detail: "There is no member 'pasword' here.",
    hint: "Did you mean 'password'?",
  },
  {
    comment: 'an unknown member of a connection',
    file: infrastructure(
      `  sources: [{name: default, dialect: MySQL, connection: '{"username":"me"}'}]`,
    ),
    place: 'infrastructure.sources[0].connection.username',
    detail: "There is no member 'username' here.",
    hint: 'The members are url, connectionString, host, port, socketPath, user, password, database, ssl, allowPublicKeyRetrieval.',
  },
  {
    comment: 'a member of a connection that only a URL has',
    file: infrastructure(
      '  sources: [{name: default, dialect: PostgreSQL, connection: {sslMode: require}}]',
    ),
    place: 'infrastructure.sources[0].connection.sslMode',
    detail: "There is no member 'sslMode' here.",
    hint: 'For PostgreSQL, write it in a URL: postgresql://user:password@host:5432/database?sslmode=…',
  },
  {
    comment: 'a socket that is not a path',
    file: infrastructure(
      '  sources: [{name: default, dialect: MySQL, connection: {socketPath: mysqld.sock}}]',
    ),
    place: 'infrastructure.sources[0].connection.socketPath',
    detail: 'The path of a socket begins with /.',
  },
  {
    comment: 'a URL with a parameter for TLS of another driver',
    file: infrastructure(
      '  sources: [{name: default, dialect: MySQL, connection: "mysql://me:x@db/shop?ssl-mode=REQUIRED"}]',
    ),
    place: 'infrastructure.sources[0].connection',
    detail: "A URL of MySQL or MariaDB has no parameter 'ssl-mode'.",
    hint: "Write 'ssl=true', or beside the URL a member 'ssl' with certificates.",
  },
  {
    comment: 'a URL of another dialect',
    file: infrastructure(
      '  sources: [{name: default, dialect: PostgreSQL, connection: "mysql://me:x@db/shop"}]',
    ),
    place: 'infrastructure.sources[0].connection',
    detail:
      'The URL of a PostgreSQL source begins with postgres:// or postgresql://; this one with mysql://.',
  },
  {
    comment: 'a member with a URL of no database',
    file: infrastructure(
      '  sources: [{name: default, dialect: MariaDB, connection: {url: "HTTPS://me:x@db/shop"}}]',
    ),
    place: 'infrastructure.sources[0].connection.url',
    detail:
      'The URL of a MariaDB source begins with mysql:// or mariadb://; this one with https://.',
  },
  {
    comment: 'a misspelt parameter for TLS',
    file: infrastructure(
      '  sources: [{name: default, dialect: PostgreSQL, connection: {url: "postgres://me@db/shop?sslmod=require"}}]',
    ),
    place: 'infrastructure.sources[0].connection.url',
    detail: "A URL of PostgreSQL has no parameter 'sslmod'.",
    hint: "Write 'sslmode=require', or 'sslmode=verify-full' to check the certificate, too.",
  },
  {
    comment: 'TLS that is neither on nor off',
    file: infrastructure('  sources: [{name: default, dialect: MySQL, connection: {ssl: Amazon}}]'),
    place: 'infrastructure.sources[0].connection.ssl',
    detail: 'Expected true, false or an object, found "Amazon".',
  },
  {
    comment: 'an unknown member of TLS',
    file: infrastructure(
      '  sources: [{name: default, dialect: MySQL, connection: {ssl: {caFile: ca.pem}}}]',
    ),
    place: 'infrastructure.sources[0].connection.ssl.caFile',
    detail: "There is no member 'caFile' here.",
  },
  {
    comment: 'a stage without sources',
    file: infrastructure('  stages: [{name: default, sources: []}]'),
    place: 'infrastructure.stages[0].sources',
    detail: "The stage 'default' has no sources.",
  },
  {
    comment: 'a stage with an unknown source',
    file: infrastructure('  stages: [{name: default, sources: [{name: defualt}]}]'),
    place: 'infrastructure.stages[0].sources[0].name',
    detail: "There is no source 'defualt'.",
    hint: "Did you mean 'default'?",
  },
  {
    comment: 'two stages with the same name',
    file: infrastructure(
      '  stages: [{name: a, sources: [{name: default}]}, {name: a, sources: [{name: default}]}]',
    ),
    place: 'infrastructure.stages[1].name',
    detail: "There are two stages named 'a'.",
  },
  {
    comment: 'a view of an unknown entity',
    file: infrastructure('  views: [{name: default, entities: [{name: City, exclude: true}]}]'),
    place: 'infrastructure.views[0].entities[0].name',
    detail: "There is no entity 'City'.",
  },
  {
    comment: 'a view of an unknown property',
    file: infrastructure(
      '  views: [{name: default, entities: [{name: Cities, properties: [{name: nmae, exclude: true}]}]}]',
    ),
    place: 'infrastructure.views[0].entities[0].properties[0].name',
    detail: "There is no property 'nmae' in 'Cities'.",
    hint: "Did you mean 'name'?",
  },
  {
    comment: 'a view that misspells exclude',
    file: infrastructure('  views: [{name: default, entities: [{name: Cities, excluded: true}]}]'),
    place: 'infrastructure.views[0].entities[0].excluded',
    detail: "There is no member 'excluded' here.",
    hint: "Did you mean 'exclude'?",
  },
  {
    comment: 'a listener without actions',
    file: cities('', 'application: {listeners: [{name: log, before: "1"}]}'),
    place: 'application.listeners[0].on',
    detail: 'The listener has no actions: list them in "on".',
  },
  {
    comment: 'a listener on an unknown action',
    file: cities('', 'application: {listeners: [{name: log, on: [select, drop]}]}'),
    place: 'application.listeners[0].on[1]',
    detail: "'drop' is not a valid choice.",
  },
  {
    comment: 'a condition with an unknown name',
    file: infrastructure(
      '  stages: [{name: a, sources: [{name: default, condition: "entty == 1"}]}]',
    ),
    place: 'infrastructure.stages[0].sources[0].condition',
    detail: "A condition has no variable 'entty'.",
    hint: "Did you mean 'entity'?",
  },
  {
    comment: 'a condition with an unknown function',
    file: infrastructure(
      '  stages: [{name: a, sources: [{name: default, condition: "sqrt(entity)"}]}]',
    ),
    place: 'infrastructure.stages[0].sources[0].condition',
    detail: "A condition has no function 'sqrt'.",
  },
  {
    comment: 'a condition with arithmetic',
    file: infrastructure(
      '  stages: [{name: a, sources: [{name: default, condition: "entity + 1"}]}]',
    ),
    place: 'infrastructure.stages[0].sources[0].condition',
    detail: "The operator '+' is not supported in a condition.",
  },
  {
    comment: 'a condition with too few arguments',
    file: infrastructure(
      '  stages: [{name: a, sources: [{name: default, condition: "entity.in()"}]}]',
    ),
    place: 'infrastructure.stages[0].sources[0].condition',
    detail: "'in' takes at least 2 arguments.",
  },
  {
    comment: 'a stage that forces an unknown view',
    file: infrastructure('  stages: [{name: a, view: defalt, sources: [{name: default}]}]'),
    place: 'infrastructure.stages[0].view',
    detail: "There is no view 'defalt'.",
    hint: "Did you mean 'default'?",
  },
  {
    comment: 'a row condition of a view with an unknown name',
    file: infrastructure("  views: [{name: v, entities: [{name: Cities, readExp: 'nam == 1'}]}]"),
    place: 'infrastructure.views[0].entities[0]',
    detail:
      "The row filter of entity 'Cities' is invalid. Entity 'Cities' has no property or relation 'nam'.",
    hint: "Did you mean 'name'?",
  },
  {
    comment: 'a filter of a mapping that is not a condition',
    file: infrastructure("  mappings: [{name: m, entities: [{name: Cities, filter: 'name'}]}]"),
    place: 'infrastructure.mappings[0].entities[0]',
    detail: "The row filter of entity 'Cities' is invalid. A filter takes a boolean, not a string.",
  },
];
