/** The tables of the batch tests on MariaDB; see `batch-schema`. */
import { oddTexts } from '../workers/execute/batch-schema.js';

const quoted = oddTexts
  .map((text) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`)
  .join(', ');

/** 300 items, each with an unusual string, a maker and up to six parts. */
export const batchTables = `
  CREATE TABLE makers (id int PRIMARY KEY, name varchar(80) NOT NULL, country varchar(80));
  INSERT INTO makers SELECT seq, CONCAT('Maker ', seq), ELT(1 + seq % 3, 'PE', 'CL', NULL)
    FROM seq_1_to_12;
  CREATE TABLE items (id int PRIMARY KEY, code varchar(80), title varchar(80),
    amount decimal(12, 3), big bigint, small smallint, ratio double, ok bool, day date,
    at datetime(6), clock time(6), note varchar(80), maker_id int, INDEX (code));
  INSERT INTO items SELECT seq, ELT(1 + seq % ${oddTexts.length}, ${quoted}),
    CONCAT('Title ', seq % 40), (seq % 50) * 1.250, 9007199254740990 + seq, seq % 30,
    seq % 20 / 8.0, seq % 3 = 0, '2024-02-25' + INTERVAL seq % 10 DAY,
    '2024-02-25 10:00:00' + INTERVAL seq * 7 HOUR, SEC_TO_TIME(seq * 660 % 86400),
    CASE WHEN seq % 4 > 0 THEN CONCAT('note ', seq % 5) END, NULLIF(seq % 13, 0)
    FROM seq_1_to_300;
  CREATE TABLE parts (id int PRIMARY KEY, item_id int, name varchar(80), quantity int,
    INDEX (item_id));
  INSERT INTO parts SELECT seq, 1 + (seq * 7919) % 300, CONCAT('part "', seq % 9, '"'), seq % 17
    FROM seq_1_to_900;
  CREATE VIEW dear AS SELECT id, code, amount FROM items WHERE amount > 20;
  CREATE TABLE loose (id decimal(20, 2), number varchar(20), text varchar(20), short smallint,
    \`long\` bigint);
  INSERT INTO loose SELECT seq, seq % 11, ELT(1 + seq % 6, '007', '7', '+7', ' 7', '-0', '0'),
    CAST(seq % 6 AS signed) - 2, 9223372036854775807 - seq % 4 FROM seq_1_to_200;
  CREATE VIEW seen AS SELECT text AS number, text, \`long\` FROM loose;
  CREATE TABLE counter (id int PRIMARY KEY, value int);
  INSERT INTO counter SELECT seq, 0 FROM seq_1_to_4;
`;
