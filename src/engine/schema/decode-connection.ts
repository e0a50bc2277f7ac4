/** Decodes a connection: an object, its JSON text, or a URL. */
import { readCount, readMembers, readText } from './decode-value.js';
import {
  type DocumentNode,
  childNode,
  describeKind,
  isAbsent,
  isRecord,
  report,
} from './document.js';
import type { Connection } from './model.js';

/**
 * The connection at a node. If it is absent or an empty string (an unset variable's default), the
 * driver decides everything. Members for other drivers are ignored.
 */
export function decodeConnection(node: DocumentNode): Connection {
  if (isAbsent(node)) return {};
  if (typeof node.value === 'string') return decodeConnectionText(node, node.value.trim());
  if (isRecord(node.value)) return decodeConnectionObject(node);
  report(node, `Expected an object, its JSON text or a URL, found ${describeKind(node.value)}.`);
  return {};
}

function decodeConnectionText(node: DocumentNode, text: string): Connection {
  if (text === '') return {};
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return { url: text };
  // The text may contain a password, so no problem repeats it.
  const value = parseJson(text);
  if (isRecord(value)) return decodeConnectionObject({ ...node, value });
  report(
    node,
    'The connection must be an object, its JSON text, or a URL.',
    'A URL looks like postgresql://user:password@host:5432/database.',
  );
  return {};
}

function decodeConnectionObject(node: DocumentNode): Connection {
  const ssl = childNode(node, 'ssl').value;
  const { connectionString: url, ...members } = readMembers(node, {
    connectionString: readText,
    url: readText,
    host: readText,
    port: (port) => readCount(port),
    user: readText,
    password: readPassword,
    database: readText,
  });
  const isRead = typeof ssl === 'boolean' || isRecord(ssl);
  return { ...(url !== undefined && { url }), ...members, ...(isRead && { ssl }) };
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
