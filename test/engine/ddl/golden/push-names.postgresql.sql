-- reserved, dotted, underscored and quoted names; constraint names that would be too long

-- create table Group
CREATE TABLE "Group" (
  "User" integer,
  "Kept Case" varchar(80),
  "a.b" varchar(80),
  "_hidden" varchar(80),
  CONSTRAINT group_pkey PRIMARY KEY ("User"),
  CONSTRAINT group_kept_case_b1f0f270_key UNIQUE ("Kept Case")
);

-- create table a_table_with_a_name_of_nearly_sixty_three_letters_more_or_less
CREATE TABLE a_table_with_a_name_of_nearly_sixty_three_letters_more_or_less (
  id integer,
  "größe" integer,
  CONSTRAINT a_table_with_a_name_of_nearly_sixty_three_letters_e22de455_pkey PRIMARY KEY (id)
);

-- create index a_table_with_a_name_of_nearly_sixty_three_letters_more_or_less ("größe")
CREATE INDEX a_table_with_a_name_of_nearly_sixty_three_letters__e2c975a0_idx ON a_table_with_a_name_of_nearly_sixty_three_letters_more_or_less ("größe");

-- add foreign key a_table_with_a_name_of_nearly_sixty_three_letters_more_or_less ("größe") to Group
ALTER TABLE a_table_with_a_name_of_nearly_sixty_three_letters_more_or_less ADD CONSTRAINT a_table_with_a_name_of_nearly_sixty_three_letters_e2c975a0_fkey FOREIGN KEY ("größe") REFERENCES "Group" ("User") DEFERRABLE INITIALLY IMMEDIATE;
