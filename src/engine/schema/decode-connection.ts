/** Decodes a connection: an object, its JSON text, or a URL. */
import {
  checkKeys,
  readChoice,
  readCount,
  readFlag,
  readMembers,
  readText,
} from './decode-value.js';
import { type DocumentNode, describeKind, isAbsent, isRecord, report } from './document.js';
import { hintAt } from './hint.js';
import { schemaKeys } from './keys.js';
import { tlsProblem } from './tls-problem.js';
import { type Connection, type DialectName, tlsVersions } from './model.js';

const schemes: Readonly<Record<DialectName, readonly string[]>> = {
  PostgreSQL: ['postgres', 'postgresql'],
  MySQL: ['mysql', 'mariadb'],
  MariaDB: ['mysql', 'mariadb'],
};

/**
 * The connection at a node. If it is absent or an empty string (an unset variable's default), the
 * driver decides everything. The URL must be one of the source's dialect, if that is known.
 */
export function decodeConnection(node: DocumentNode, dialect?: DialectName): Connection {
  if (isAbsent(node)) return {};
  if (typeof node.value === 'string') {
    return decodeConnectionText(node, node.value.trim(), dialect);
  }
  if (isRecord(node.value)) return decodeConnectionObject(node, dialect);
  report(node, `Expected an object, its JSON text or a URL, found ${describeKind(node.value)}.`);
  return {};
}

function decodeConnectionText(
  node: DocumentNode,
  text: string,
  dialect: DialectName | undefined,
): Connection {
  if (text === '') return {};
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) {
    const [host] = text.replace(/^[^:]*:\/\/(?:.*@)?/s, '').split(/[/?]/);
    if (isHostUnset(node, host)) return {};
    checkUrl(node, text, dialect);
    return { url: text };
  }
  // The text may contain a password, so no problem repeats it.
  const value = parseJson(text);
  if (isRecord(value)) {
    if (isHostUnset(node, value['host'])) return {};
    return decodeConnectionObject({ ...node, value }, dialect);
  }
  report(
    node,
    'The connection must be an object, its JSON text, or a URL.',
    text.startsWith('{')
      ? 'It begins with { and is not JSON: a shell removes its quotes unless all of it is in single quotes.'
      : 'A URL looks like postgresql://user:password@host:5432/database.',
  );
  return {};
}

/** Reports a variable in the host: in the value of another variable, those that are not set have stayed. */
function isHostUnset(node: DocumentNode, host: unknown): boolean {
  const [, name] = /\$\{([A-Za-z_]\w*)(?::-[^}]*)?\}/.exec(String(host)) ?? [];
  if (name !== undefined) report(node, `The variable '${name}' in the host is not set.`);
  return name !== undefined;
}

function decodeConnectionObject(node: DocumentNode, dialect: DialectName | undefined): Connection {
  const readUrl = (member: DocumentNode) => {
    const url = readText(member);
    if (url !== undefined) checkUrl(member, url, dialect);
    return url;
  };
  checkKeys(node, [...schemaKeys.connection, ...driverKeys], (key) => hintFor(node, key));
  const { connectionString, socketPath, ...members } = readMembers(node, {
    connectionString: readUrl,
    url: readUrl,
    host: readText,
    socketPath: readSocketPath,
    port: (port) => readCount(port),
    user: readText,
    password: readPassword,
    database: readText,
    ssl: readSsl,
    allowPublicKeyRetrieval: readSwitch,
  });
  return {
    ...(connectionString !== undefined && { url: connectionString }),
    ...members,
    ...(socketPath !== undefined && { host: socketPath }),
  };
}

/**
 * Members for pg, mysql2 and mariadb that schema files of lambdaorm may have: Rowgate has its own pools,
 * time limits and formats of values. What selects the server, secures the connection or changes the
 * session is missing here, so that it is never ignored unnoticed.
 */
const driverKeys = `
  max min idleTimeoutMillis maxUses maxLifetimeSeconds allowExitOnIdle connectionTimeoutMillis keepAlive
  keepAliveInitialDelayMillis query_timeout statement_timeout lock_timeout application_name
  idle_in_transaction_session_timeout fallback_application_name client_encoding binary types
  parseInputDatesAsUTC
  connectionLimit maxIdle minimumIdle idleTimeout queueLimit waitForConnections acquireTimeout timeout
  connectTimeout initializationTimeout socketTimeout queryTimeout enableKeepAlive keepAliveInitialDelay
  keepAliveDelay pingTimeout minDelayValidation leakDetectionTimeout resetAfterUse noControlAfterUse
  charset charsetNumber collation timezone dateStrings decimalNumbers supportBigNumbers bigNumberStrings
  bigIntAsNumber decimalAsNumber insertIdAsNumber checkDuplicate typeCast stringifyObjects jsonStrings
  autoJsonMap rowsAsArray namedPlaceholders nestTables multipleStatements permitLocalInfile
  maxPreparedStatements prepareCacheLength maxAllowedPacket compress pipelining bulk foundRows flags
  connectAttributes debug debugLen logPackets trace disableEval gracefulEnd
`
  .trim()
  .split(/\s+/);

function hintFor(node: DocumentNode, key: string): string {
  if (/^(ssl_?(mode|rootcert|cert|key|password)|options)$/i.test(key)) {
    const url = `postgresql://user:password@host:5432/database?${key.toLowerCase()}=…`;
    return `For PostgreSQL, write it in a URL: ${url}`;
  }
  const { connection } = schemaKeys;
  return hintAt(node, key, connection) ?? `The members are ${connection.join(', ')}.`;
}

/** Reports a URL for another driver, and an unknown demand of TLS, because the connection would not be encrypted. */
function checkUrl(node: DocumentNode, url: string, dialect: DialectName | undefined): void {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(url)?.[1]?.toLowerCase();
  if (dialect && scheme !== undefined && !schemes[dialect].includes(scheme)) {
    const expected = schemes[dialect].map((each) => `${each}://`).join(' or ');
    // The rest of the URL may contain a password.
    const detail = `The URL of a ${dialect} source begins with ${expected}; this one with ${scheme}://.`;
    report(node, detail);
    return;
  }
  const problem = tlsProblem(url);
  if (problem) report(node, problem.detail, problem.hint);
}

function readSocketPath(node: DocumentNode): string | undefined {
  const path = readText(node);
  if (path === undefined || path.startsWith('/')) return path;
  report(node, 'The path of a socket begins with /.');
  return undefined;
}

function readSsl(node: DocumentNode): Connection['ssl'] {
  if (!isRecord(node.value)) return readSwitch(node, 'true, false or an object');
  checkKeys(node, schemaKeys.tls);
  return readMembers(node, {
    ca: readText,
    cert: readText,
    key: readText,
    passphrase: readText,
    servername: readText,
    rejectUnauthorized: readSwitch,
    minVersion: (version) => readChoice(version, tlsVersions),
    maxVersion: (version) => readChoice(version, tlsVersions),
    ciphers: readText,
  });
}

/** Text is accepted, because variables are strings. */
function readSwitch(node: DocumentNode, expected?: string): boolean | undefined {
  const value = node.value === 'true' || (node.value === 'false' ? false : node.value);
  return readFlag({ ...node, value }, expected);
}

/** In YAML, a password of digits is a number; it is taken as text. */
function readPassword(node: DocumentNode): string | undefined {
  if (typeof node.value === 'number') return String(node.value);
  if (isAbsent(node) || typeof node.value === 'string') return readText(node);
  report(node, 'The password must be text.');
  return undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
