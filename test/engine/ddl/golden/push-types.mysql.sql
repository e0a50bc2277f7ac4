-- each type and default; an expression that SQL does not share gets no DEFAULT

-- create table Everything
CREATE TABLE Everything (
  id INTEGER AUTO_INCREMENT,
  whole INTEGER DEFAULT (7),
  exact DECIMAL(65,30) DEFAULT (1.5),
  price DECIMAL(8, 2),
  wide DECIMAL(65,30),
  many JSON,
  rough DOUBLE DEFAULT (-2.5),
  sum DECIMAL(65,30),
  short VARCHAR(15) NOT NULL DEFAULT ('it''s \\ so'),
  `long` MEDIUMTEXT,
  huge LONGTEXT,
  flag BOOLEAN DEFAULT (TRUE),
  moment DATETIME(6) DEFAULT (UTC_TIMESTAMP(6)),
  day DATE DEFAULT (UTC_DATE),
  hour TIME(6) DEFAULT ('12:30:00.000'),
  computed INTEGER,
  made CHAR(36),
  CONSTRAINT everything_pkey PRIMARY KEY (id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- remark: Everything.sum is a plain column; its property is read-only, so Rowgate never writes it

-- remark: Everything.made has no default, but its property has databaseDefault: add the default by hand
