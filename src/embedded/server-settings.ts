/** PostgreSQL's settings: a small footprint, no network, and safety as the data deserve it. */

/** `durable` survives a power cut; `disposable` is quicker and for data that tests throw away. */
export type Durability = 'durable' | 'disposable';

/** What a server is started with. */
export interface ServerChoice {
  readonly durability: Durability;
  /** A port of loopback on which it listens beside its unix socket. */
  readonly tcpPort: number | undefined;
}

const COMMON: Readonly<Record<string, string>> = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '100',
  shared_buffers: '64MB',
  // Synchronous reads need no extra worker processes (PostgreSQL 18 starts three).
  io_method: 'sync',
  // Nobody replicates this server: COPY into a new table then skips the write-ahead log.
  wal_level: 'minimal',
  max_wal_senders: '0',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // LOG, FATAL and PANIC, but no failed statements: these hold the values of clients.
  log_min_messages: 'log',
  log_checkpoints: 'off',
  jit: 'off',
};

const DISPOSABLE: Readonly<Record<string, string>> = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  // Many test files use one server at the same time.
  max_connections: '300',
};

/** The settings as words of the server's command line. */
export function settingWords(choice: ServerChoice, socketDirectory: string): readonly string[] {
  const settings = {
    ...COMMON,
    ...(choice.durability === 'disposable' && DISPOSABLE),
    ...(choice.tcpPort !== undefined && { listen_addresses: '127.0.0.1' }),
    // The value is a list: commas separate, double quotes hold together.
    unix_socket_directories: `"${socketDirectory}"`,
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
