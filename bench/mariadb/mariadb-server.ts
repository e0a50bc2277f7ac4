/** A MariaDB of the bench's own, with the rows that are read: thrown away with the run. */
import { chownSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import mariadb from 'mariadb';
import type { DatabaseConnection } from '../database.js';
import { makeTemporaryDirectory } from '../database.js';
import { findProgram } from '../find-program.js';
import { freePort } from '../free-port.js';
import { PRODUCTS } from '../rows.js';
import { type RunningProcess, runProcess, startProcess } from '../run-process.js';

const START_MS = 60_000;
const POLL_MS = 50;
const NOBODY = 65_534;
const DATABASE = 'bench';

/** Orders to stream. */
export const MARIADB_ORDERS = 200_000;

export interface MariadbServer {
  readonly connection: DatabaseConnection;
  readonly pid: number;
  stop(): Promise<void>;
}

const products = `CREATE TABLE Products (ProductID int PRIMARY KEY AUTO_INCREMENT,
  ProductName varchar(80), SupplierID int, CategoryID int, QuantityPerUnit varchar(80),
  UnitPrice decimal(38,10), UnitsInStock decimal(38,10), UnitsOnOrder decimal(38,10),
  ReorderLevel decimal(38,10), Discontinued boolean) CHARACTER SET utf8mb4`;

const rows = `INSERT INTO Products SELECT seq, CONCAT('Product ', seq), 1 + seq % 50,
  IF(seq % 40 > 0, 1 + seq % 8, NULL), CONCAT(1 + seq % 24, ' × ', seq % 9 * 100, ' g'),
  (seq * 37 % 10000) / 100, seq % 120, seq % 7 * 10, seq % 5 * 5, seq % 10 = 0
  FROM seq_1_to_${PRODUCTS}`;

const orders = `CREATE TABLE Orders (OrderID int PRIMARY KEY AUTO_INCREMENT, CustomerID varchar(5),
  EmployeeID int, OrderDate datetime(6), RequiredDate date, ShippedDate date, ShipVia int,
  Freight decimal(38,10), ShipName varchar(80), ShipAddress varchar(80), ShipCity varchar(80),
  ShipRegion varchar(80), ShipPostalCode varchar(20), ShipCountry varchar(80)) CHARACTER SET utf8mb4`;

const orderRows = `INSERT INTO Orders SELECT seq, CONCAT('C', LPAD(1 + seq % 1000, 4, '0')), 1 + seq % 9,
  '2022-01-01 08:00' + INTERVAL seq * 37 MINUTE, '2022-01-15' + INTERVAL seq DIV 40 DAY,
  IF(seq % 25 > 0, '2022-01-06' + INTERVAL seq DIV 40 DAY, NULL), 1 + seq % 3,
  (seq * 13 % 50000) / 100, CONCAT('Customer ', seq), CONCAT(seq, ' High Street'), 'Lisboa', NULL,
  '1000-100', 'Portugal' FROM seq_1_to_${MARIADB_ORDERS}`;

/** Starts a server and fills it; throws when MariaDB is not installed. */
export async function startMariadb(): Promise<MariadbServer> {
  const program = findProgram('mariadbd') ?? '/usr/sbin/mariadbd';
  const directory = makeTemporaryDirectory();
  const remove = () => rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  let running: RunningProcess | undefined;
  try {
    const options = await install(directory);
    const port = await freePort();
    const words = [...options, ...settings(directory, port)];
    running = await startProcess({ program, words });
    const connection = { host: '127.0.0.1', port, user: 'root', database: DATABASE };
    await fill(connection, running);
    const { pid, stop } = running;
    return { connection, pid, stop: () => stop().finally(remove) };
  } catch (error) {
    await running?.stop();
    remove();
    throw error;
  }
}

async function install(directory: string): Promise<readonly string[]> {
  const data = join(directory, 'data');
  const options = ['--no-defaults', `--datadir=${data}`];
  mkdirSync(data);
  if (process.getuid?.() === 0) {
    chownSync(directory, NOBODY, NOBODY);
    chownSync(data, NOBODY, NOBODY);
    options.push('--user=nobody');
  }
  const program = findProgram('mariadb-install-db') ?? 'mariadb-install-db';
  const words = [...options, '--skip-test-db', '--auth-root-authentication-method=normal'];
  await runProcess({ program, words: [...words, '--skip-name-resolve'] }, START_MS);
  return options;
}

function settings(directory: string, port: number): readonly string[] {
  return [
    `--socket=${join(directory, 'socket')}`,
    `--pid-file=${join(directory, 'pid')}`,
    `--port=${port}`,
    '--bind-address=127.0.0.1',
    '--skip-name-resolve',
    '--innodb-buffer-pool-size=256M',
    '--innodb-flush-log-at-trx-commit=0',
    '--performance-schema=OFF',
  ];
}

async function fill(connection: DatabaseConnection, running: RunningProcess): Promise<void> {
  const { host, port, user } = connection;
  const deadline = performance.now() + START_MS;
  while (performance.now() < deadline && !running.hasEnded) {
    const client = await mariadb.createConnection({ host, port, user }).catch(() => undefined);
    if (client === undefined) {
      await sleep(POLL_MS);
      continue;
    }
    await client.query(`CREATE DATABASE ${DATABASE}`);
    await client.query(`USE ${DATABASE}`);
    for (const statement of [products, rows, orders, orderRows, 'ANALYZE TABLE Products, Orders']) {
      await client.query(statement);
    }
    return client.end();
  }
  throw new Error(`MariaDB did not start:\n${running.tail()}`);
}
