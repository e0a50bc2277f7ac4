-- one foreign key for each pair, none for a weak relation, a remark where the target is not a key, keys of several columns

-- create table Users
CREATE TABLE Users (
  id integer,
  CONSTRAINT users_pkey PRIMARY KEY (id)
);

-- create table Profiles
CREATE TABLE Profiles (
  id integer,
  userId integer NOT NULL,
  CONSTRAINT profiles_pkey PRIMARY KEY (id),
  CONSTRAINT profiles_userid_key UNIQUE (userId)
);

-- create table Badges
CREATE TABLE Badges (
  id integer,
  luck integer,
  likes integer,
  CONSTRAINT badges_pkey PRIMARY KEY (id)
);

-- create table Halves
CREATE TABLE Halves (
  "left" integer,
  "right" integer,
  CONSTRAINT halves_pkey PRIMARY KEY ("left", "right")
);

-- create index Badges (likes, luck)
CREATE INDEX badges_likes_luck_idx ON Badges (likes, luck);

-- add foreign key Profiles (userId) to Users
ALTER TABLE Profiles ADD CONSTRAINT profiles_userid_fkey FOREIGN KEY (userId) REFERENCES Users (id) DEFERRABLE INITIALLY IMMEDIATE;

-- add foreign key Badges (id) to Users
ALTER TABLE Badges ADD CONSTRAINT badges_id_fkey FOREIGN KEY (id) REFERENCES Users (id) DEFERRABLE INITIALLY IMMEDIATE;

-- add foreign key Badges (likes, luck) to Halves
ALTER TABLE Badges ADD CONSTRAINT badges_likes_luck_fkey FOREIGN KEY (likes, luck) REFERENCES Halves ("left", "right") DEFERRABLE INITIALLY IMMEDIATE;

-- remark: no foreign key for Badges.odd: Halves.left is not a key by itself

-- remark: no foreign key for Badges.oddPair: Profiles.id, userId is not a key by itself
