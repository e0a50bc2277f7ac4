/** The options of a connection URL are added to the settings that Rowgate needs. */
import { expect, test } from 'vitest';
import { rowsOf, startProgram } from '../support/program.js';
import { useOwnPostgresql } from './own-database.js';

const database = useOwnPostgresql(`CREATE SCHEMA other;
  CREATE TABLE other.event (id integer PRIMARY KEY, at timestamptz, span interval, data bytea);
  INSERT INTO other.event VALUES (1, '2024-02-29 12:00:00+00', '1 day 2 hours', '\\x00ff');`);

test.each(['', '&keepalives=1'])(
  'options of the URL neither replace ours nor are lost%s',
  async (rest) => {
    const settings = { datestyle: 'SQL,DMY', timezone: 'Asia/Tokyo', intervalstyle: 'postgres' };
    const own = { ...settings, bytea_output: 'escape', search_path: 'other' };
    const options = Object.entries(own).map(([name, value]) => `-c ${name}=${value}`);
    const url = `${database.url}&options=${encodeURIComponent(options.join(' '))}${rest}`;
    const program = await startProgram(['--url', url, '--workers', '1']);
    try {
      expect(await rowsOf(program, 'Event')).toEqual([
        { id: 1, at: '2024-02-29T12:00:00.000Z', span: 'P1DT2H', data: 'AP8=' },
      ]);
    } finally {
      await program.stop();
    }
  },
);
