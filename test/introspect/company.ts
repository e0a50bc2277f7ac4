/** The tables of a company: circular references, keys of several columns, and two schemas. */

/** The SQL of the tables and rows; on PostgreSQL, in the schemas `hr` and `payroll`. */
export function companySql(dialect: 'PostgreSQL' | 'MariaDB'): string {
  const isPostgresql = dialect === 'PostgreSQL';
  const hr = isPostgresql ? 'hr.' : '';
  const payroll = isPostgresql ? 'payroll.' : 'payroll_';
  const partition = isPostgresql
    ? `PARTITION BY RANGE (year);
       CREATE TABLE payroll.payslip_2024 PARTITION OF payroll.payslip FOR VALUES FROM (2024) TO (2025);
       CREATE TABLE payroll.payslip_2025 PARTITION OF payroll.payslip FOR VALUES FROM (2025) TO (2026)`
    : `PARTITION BY RANGE (year) (PARTITION p2024 VALUES LESS THAN (2025), PARTITION p2025 VALUES LESS THAN (2026))`;
  // An import defers the check of deferrable keys to its end. On MariaDB, it defers that of all
  // keys.
  const deferrable = isPostgresql ? ' DEFERRABLE' : '';
  const toSlip = isPostgresql ? `, FOREIGN KEY (employee_no) REFERENCES hr.employee (no)` : '';
  return `
    ${isPostgresql ? 'CREATE SCHEMA hr; CREATE SCHEMA payroll;' : ''}
    CREATE TABLE ${hr}department (code varchar(8) PRIMARY KEY, name varchar(40) NOT NULL, head_no integer);
    CREATE TABLE ${hr}employee (
      no integer PRIMARY KEY,
      name varchar(40) NOT NULL,
      department_code varchar(8) NOT NULL,
      mentor_no integer,
      FOREIGN KEY (department_code) REFERENCES ${hr}department (code)${deferrable},
      FOREIGN KEY (mentor_no) REFERENCES ${hr}employee (no)
    );
    ALTER TABLE ${hr}department ADD CONSTRAINT department_head FOREIGN KEY (head_no) REFERENCES ${hr}employee (no)${deferrable};
    CREATE TABLE ${hr}project (id integer PRIMARY KEY, title varchar(40) NOT NULL);
    CREATE TABLE ${hr}project_phase (
      project_id integer NOT NULL,
      phase_no integer NOT NULL,
      title varchar(40) NOT NULL,
      lead_no integer,
      PRIMARY KEY (project_id, phase_no),
      FOREIGN KEY (project_id) REFERENCES ${hr}project (id),
      FOREIGN KEY (lead_no) REFERENCES ${hr}employee (no)
    );
    CREATE TABLE ${hr}assignment (
      employee_no integer NOT NULL,
      project_id integer NOT NULL,
      phase_no integer NOT NULL,
      hours integer NOT NULL DEFAULT 0,
      PRIMARY KEY (employee_no, project_id, phase_no),
      FOREIGN KEY (employee_no) REFERENCES ${hr}employee (no),
      CONSTRAINT assignment_phase FOREIGN KEY (project_id, phase_no) REFERENCES ${hr}project_phase (project_id, phase_no)${deferrable}
    );
    CREATE TABLE ${payroll}employee (
      employee_no integer PRIMARY KEY,
      account varchar(34) NOT NULL,
      FOREIGN KEY (employee_no) REFERENCES ${hr}employee (no)
    );
    CREATE TABLE ${payroll}payslip (
      employee_no integer NOT NULL,
      year integer NOT NULL,
      net numeric(10,2) NOT NULL,
      PRIMARY KEY (employee_no, year)${toSlip}
    ) ${partition};

    INSERT INTO ${hr}department VALUES ('dev', 'Development', NULL), ('ops', 'Operations', NULL);
    INSERT INTO ${hr}employee VALUES (1, 'Ida', 'dev', NULL), (2, 'Jan', 'dev', 1), (3, 'Kim', 'ops', 1);
    UPDATE ${hr}department SET head_no = 1 WHERE code = 'dev';
    INSERT INTO ${hr}project VALUES (10, 'Bridge'), (11, 'Tunnel');
    INSERT INTO ${hr}project_phase VALUES (10, 1, 'Plan', 1), (10, 2, 'Build', 2), (11, 1, 'Dig', NULL);
    INSERT INTO ${hr}assignment VALUES (1, 10, 1, 5), (2, 10, 2, 40), (3, 10, 2, 8), (3, 11, 1, 3);
    INSERT INTO ${payroll}employee VALUES (1, 'DE01'), (2, 'DE02');
    INSERT INTO ${payroll}payslip VALUES (1, 2024, 100.50), (1, 2025, 110), (2, 2025, 90);`;
}
