-- enums of texts become enumerated types, but not those of numbers, of keys that relations use, and of other stored values

-- create type Mood
DO $enum$ BEGIN CREATE TYPE Mood AS ENUM ('sad', 'so-so', 'it''s'); EXCEPTION WHEN duplicate_object THEN NULL; END $enum$;

-- create type Shade
DO $enum$ BEGIN CREATE TYPE Shade AS ENUM ('a', 'A'); EXCEPTION WHEN duplicate_object THEN NULL; END $enum$;

-- create type Status_enum
DO $enum$ BEGIN CREATE TYPE Status_enum AS ENUM ('open', 'closed'); EXCEPTION WHEN duplicate_object THEN NULL; END $enum$;

-- create table Status
CREATE TABLE Status (
  code varchar(80),
  CONSTRAINT status_pkey PRIMARY KEY (code)
);

-- create table Things
CREATE TABLE Things (
  id integer,
  mood Mood NOT NULL DEFAULT 'it''s',
  level integer,
  shade Shade,
  state Status_enum DEFAULT 'open',
  status varchar(80),
  secret varchar(80),
  CONSTRAINT things_pkey PRIMARY KEY (id)
);

-- create index Things (mood)
CREATE INDEX things_mood_idx ON Things (mood);

-- create index Things (status)
CREATE INDEX things_status_idx ON Things (status);

-- add foreign key Things (status) to Status
ALTER TABLE Things ADD CONSTRAINT things_status_fkey FOREIGN KEY (status) REFERENCES Status (code) DEFERRABLE INITIALLY IMMEDIATE;
