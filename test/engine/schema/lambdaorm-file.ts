/** A typical file of lambdaorm, with several sources, stages, views, enums and listeners. */
import { parse } from 'yaml';
import { substitute } from '../../../src/engine/schema/environment.js';

/** The environment variables of that deployment. */
const deployment = {
  CNN_MYSQL: '{"host":"db.example","port":3306,"user":"shop","password":"p$ss","database":"shop"}',
  CNN_POSTGRES: 'postgresql://crm@crm.example/crm',
  INSIGHTS_HOST: 'insights.example',
  INSIGHTS_PORT: '5433',
  REALM: 'main',
  SECRET: 's3cret',
};

/** A fresh document of the file, with its variables replaced. */
export function lambdaormDocument(): unknown {
  return substitute(parse(text), deployment);
}

const text = `
paths: {schemas: lambdaORM/schemas, state: $STATE}
domain:
  version: 2.3.4
  enums:
  - name: DeviceType
    values: [{name: phone, value: P}, {name: computer}, {name: robot, value: 3}]
  entities:
  - name: Positions
    abstract: true
    properties:
    - {name: latitude, type: decimal}
    - {name: longitude, type: decimal}
  - name: Basics
    abstract: true
    extends: Positions
    indexes:
    - {name: created, fields: [created]}
    properties:
    - {name: created, type: datetime, default: now()}
  - name: Users
    view: true
    extends: Basics
    primaryKey: [username]
    uniqueKey: [email]
    properties:
    - {name: username, length: 32, required: true}
    - {name: lastname, required: true}
    - {name: fullname, view: true, readExp: 'concat(lastname,", ",username)'}
    - {name: email, required: true, length: 255, writeValue: 'encrypt(email,"\${SECRET}")', readValue: 'decrypt(email,"\${SECRET}")'}
    - {name: label, default: '\`\${username}-\${lastname}\`', writeExp: upper(label)}
    constraints:
    - {message: invalid email, condition: 'test(email,"^.+@.+$")'}
  - name: Places
    abstract: true
    primaryKey: [kind, code]
    properties:
    - {name: kind, length: 16, required: true}
    - {name: code, length: 16, required: true}
    - {name: title}
  - name: Countries
    extends: Places
    properties: [{name: kind, key: country}]
  - name: Devices
    extends: Basics
    primaryKey: [id]
    properties:
    - {name: id, type: integer, required: true, autoIncrement: true}
    - {name: type, length: 16, required: true, enum: DeviceType}
    - {name: ownerId, length: 32}
    relations:
    - {name: owner, from: ownerId, entity: Users, to: username, target: devices, weak: true}
  - name: Devices.components
    primaryKey: [id]
    properties:
    - {name: id, type: integer, required: true}
    - {name: deviceId, type: integer, required: true}
    relations:
    - {name: device, from: deviceId, entity: Devices, to: id, target: components}
  - name: Statuses
    primaryKey: [id]
    properties:
    - {name: id, type: integer, required: true}
    - {name: cpu, type: decimal, length: 10}
    relations:
    - {name: device, type: oneToOne, from: id, entity: Devices, to: id, target: status}
infrastructure:
  views:
  - name: default
  - name: guest
    entities:
    - name: Users
      readExp: username == "guest"
      properties:
      - {name: email, readExp: mask(email)}
      - {name: lastname, exclude: true}
    - {name: Statuses, exclude: true}
  mappings:
  - name: default
    entities:
    - name: Basics
      abstract: true
      properties: [{name: created, mapping: CREATED}]
    - name: Places
      abstract: true
      mapping: TBL_PLACES
      filter: kind != "none"
      properties:
      - {name: kind, mapping: KIND}
      - {name: code, mapping: CODE}
      - {name: title, mapping: TITLE, readMappingExp: trim(title)}
    - {name: Countries, extends: Places}
    - name: Devices
      extends: Basics
      mapping: TBL_DEVICES
      sequence: SQ_DEVICES
      properties: [{name: id, mapping: ID}]
  - name: insights
    extends: default
    entities:
    - {name: Basics, properties: [{name: created, mapping: created_at}]}
    - {name: Devices, mapping: devices}
  - name: keycloak
    entities:
    - name: Users
      mapping: user_entity
      filter: realmId == "\${REALM}"
      properties:
      - {name: lastname, mapping: last_name}
      - {name: realmId, length: 255, mapping: realm_id}
  sources:
  - {name: shop, dialect: MySQL, mapping: default, connection: '\${CNN_MYSQL}'}
  - {name: crm, dialect: postgresql, mapping: keycloak, connection: $CNN_POSTGRES}
  - name: insights
    dialect: MariaDb
    mapping: insights
    connection: {host: $INSIGHTS_HOST, port: $INSIGHTS_PORT, user: '\${INSIGHTS_USER:-reader}', password: 1234, multipleStatements: true, connectionLimit: 10}
  stages:
  - name: default
    sources:
    - {name: crm, condition: entity == "Users"}
    - {name: shop}
  - name: cqrs
    dataSources:
    - {name: insights, condition: action == "select"}
    - {name: shop}
  - name: insights
    sources:
    - {name: insights}
  service: {host: $HOST, port: $PORT}
  queue: {config: $QUEUE_CONFIG}
application:
  listeners:
  - name: sync
    on: [insert, bulkInsert, update, delete]
    condition: options.stage.in("default","cqrs")
    after: orm.execute(query,data,{stage:"insights"})
  - name: send
    on: [insert, bulkInsert, upsert, delete]
    condition: options.stage.in("default","cqrs")
    after: queue.send("sync",[{expression:expression,data:data}])
  - {name: log, actions: [select], before: console.log(query)}
`;
