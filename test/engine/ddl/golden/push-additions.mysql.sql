-- what a table lacks is added; a required column without default comes nullable

-- add column Parents.rank, nullable because rows may be there
ALTER TABLE Parents ADD COLUMN `rank` INTEGER;

-- add column Parents.active
ALTER TABLE Parents ADD COLUMN active BOOLEAN NOT NULL DEFAULT (TRUE);

-- add column Children.born
ALTER TABLE Children ADD COLUMN born DATE;

-- add primary key Parents (id)
ALTER TABLE Parents ADD CONSTRAINT parents_pkey PRIMARY KEY (id);

-- add unique key Parents (name)
ALTER TABLE Parents ADD CONSTRAINT parents_name_key UNIQUE (name);

-- create index Children (born)
CREATE INDEX children_born_idx ON Children (born);

-- add foreign key Children (parentId) to Parents
ALTER TABLE Children ADD CONSTRAINT children_parentid_fkey FOREIGN KEY (parentId) REFERENCES Parents (id);
