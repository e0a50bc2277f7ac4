-- one foreign key for each pair, none for a weak relation, a remark where the target is not a key, keys of several columns

-- create table Users
CREATE TABLE Users (
  id INTEGER,
  CONSTRAINT users_pkey PRIMARY KEY (id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- create table Profiles
CREATE TABLE Profiles (
  id INTEGER,
  userId INTEGER NOT NULL,
  CONSTRAINT profiles_pkey PRIMARY KEY (id),
  CONSTRAINT profiles_userid_key UNIQUE (userId)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- create table Badges
CREATE TABLE Badges (
  id INTEGER,
  luck INTEGER,
  likes INTEGER,
  CONSTRAINT badges_pkey PRIMARY KEY (id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- create table Halves
CREATE TABLE Halves (
  `left` INTEGER,
  `right` INTEGER,
  CONSTRAINT halves_pkey PRIMARY KEY (`left`, `right`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- add foreign key Profiles (userId) to Users
ALTER TABLE Profiles ADD CONSTRAINT profiles_userid_fkey FOREIGN KEY (userId) REFERENCES Users (id);

-- add foreign key Badges (id) to Users
ALTER TABLE Badges ADD CONSTRAINT badges_id_fkey FOREIGN KEY (id) REFERENCES Users (id);

-- add foreign key Badges (likes, luck) to Halves
ALTER TABLE Badges ADD CONSTRAINT badges_likes_luck_fkey FOREIGN KEY (likes, luck) REFERENCES Halves (`left`, `right`);

-- remark: no foreign key for Badges.odd: Halves.left is not a key by itself

-- remark: no foreign key for Badges.oddPair: Profiles.id, userId is not a key by itself
