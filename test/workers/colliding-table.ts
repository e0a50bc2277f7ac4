/** A table of PostgreSQL whose inserts fail to serialize a few times. */
import type pg from 'pg';

/** Lets the next `times` inserts fail, whatever is rolled back, since sequences are not. */
export async function letCollide(client: pg.Client, table: string, times: number): Promise<void> {
  await client.query(`CREATE SEQUENCE attempts;
    CREATE FUNCTION collide() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF nextval('attempts') <= ${times} THEN
        RAISE EXCEPTION 'collided' USING ERRCODE = 'serialization_failure';
      END IF;
      RETURN NEW;
    END $$;
    CREATE TRIGGER collide AFTER INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION collide()`);
}

/** Ends that, and returns how often an insert was tried. */
export async function endCollisions(client: pg.Client, table: string): Promise<number> {
  const { rows } = await client.query('SELECT last_value::int AS attempts FROM attempts');
  await client.query(
    `DROP TRIGGER collide ON ${table}; DROP FUNCTION collide; DROP SEQUENCE attempts`,
  );
  return rows[0]?.attempts;
}
