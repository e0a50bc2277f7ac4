/** Settings of the embedded PostgreSQL: a small footprint, no network, and the durability that the data needs. */

/** How a server is started. */
export interface ServerChoice {
  /** `durable` (the default): data survives a power failure. `disposable` is faster, for data that tests throw away. */
  readonly durability: 'durable' | 'disposable';
  /** A loopback port on which it also listens, without a password. For measurements. */
  readonly tcpPort: number | undefined;
}

const COMMON: Readonly<Record<string, string>> = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '100',
  shared_buffers: '64MB',
  // Synchronous reads need no additional processes (by default, PostgreSQL 18 starts three).
  io_method: 'sync',
  // This server has no replicas, so COPY into a new table can skip the write-ahead log.
  wal_level: 'minimal',
  max_wal_senders: '0',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // LOG, FATAL and PANIC, but not failed statements, which would contain values of clients.
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

/** The settings as arguments for the server's command line. */
export function settingWords(choice: ServerChoice, socketDirectory: string): readonly string[] {
  const settings = {
    ...COMMON,
    ...(choice.durability === 'disposable' && DISPOSABLE),
    ...(choice.tcpPort !== undefined && { listen_addresses: '127.0.0.1' }),
    // The value is a list separated by commas; double quotes keep the path together.
    unix_socket_directories: `"${socketDirectory}"`,
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
