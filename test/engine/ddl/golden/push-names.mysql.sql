-- reserved, dotted, underscored and quoted names; constraint names that would be too long

-- create table Group
CREATE TABLE `Group` (
  User INTEGER,
  `Kept Case` VARCHAR(80),
  `a.b` VARCHAR(80),
  `_hidden` VARCHAR(80),
  CONSTRAINT group_pkey PRIMARY KEY (User),
  CONSTRAINT group_kept_case_ac30c7f0_key UNIQUE (`Kept Case`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- create table a_table_with_a_name_of_nearly_sixty_three_letters_more_or_less
CREATE TABLE a_table_with_a_name_of_nearly_sixty_three_letters_more_or_less (
  id INTEGER,
  `größe` INTEGER,
  CONSTRAINT a_table_with_a_name_of_nearly_sixty_three_letters_e22de455_pkey PRIMARY KEY (id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- add foreign key a_table_with_a_name_of_nearly_sixty_three_letters_more_or_less ("größe") to Group
ALTER TABLE a_table_with_a_name_of_nearly_sixty_three_letters_more_or_less ADD CONSTRAINT a_table_with_a_name_of_nearly_sixty_three_letters_e2c975a0_fkey FOREIGN KEY (`größe`) REFERENCES `Group` (User);
