-- enums of texts become enumerated types, but not those of numbers, of keys that relations use, and of other stored values

-- create table Status
CREATE TABLE Status (
  code VARCHAR(80),
  CONSTRAINT status_pkey PRIMARY KEY (code)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- create table Things
CREATE TABLE Things (
  id INTEGER,
  mood ENUM ('sad', 'so-so', 'it''s') NOT NULL DEFAULT ('it''s'),
  level INTEGER,
  shade VARCHAR(80),
  state ENUM ('open', 'closed') DEFAULT ('open'),
  status VARCHAR(80),
  secret VARCHAR(80),
  CONSTRAINT things_pkey PRIMARY KEY (id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- create index Things (mood)
CREATE INDEX things_mood_idx ON Things (mood);

-- add foreign key Things (status) to Status
ALTER TABLE Things ADD CONSTRAINT things_status_fkey FOREIGN KEY (status) REFERENCES Status (code);
