import type { Knex } from 'knex'

/** Actions of administrators. The database rejects changes and deletions of rows. */
export async function up(trx: Knex.Transaction): Promise<void> {
  await trx.schema.createTable('audit', (table) => {
    table.bigIncrements('id')
    table.bigInteger('created_at').notNullable().index()
    // 0: an operator at a terminal before a root user existed.
    table.integer('actor_id').notNullable()
    // The name at that time, since users can be renamed and deleted.
    table.string('actor', 255).notNullable()
    // An IP address, or "terminal".
    table.string('address', 64).notNullable()
    table.string('action', 64).notNullable()
    table.string('object', 255).notNullable()
    // JSON objects; null if no object existed before, or exists after the action.
    table.text('before').nullable()
    table.text('after').nullable()
    table.index(['actor_id', 'id'])
    table.index(['action', 'id'])
    table.index(['object', 'id'])
  })
  if (trx.client.dialect === 'postgresql') await guardPostgres(trx)
  else await guardSqlite(trx)
}

async function guardPostgres(trx: Knex.Transaction): Promise<void> {
  await trx.raw(`CREATE FUNCTION reject_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'rows of audit are never changed or deleted'; END $$`)
  await trx.raw(`CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE ON audit
    FOR EACH ROW EXECUTE FUNCTION reject_audit_change()`)
  await trx.raw(`CREATE TRIGGER audit_no_truncate BEFORE TRUNCATE ON audit
    FOR EACH STATEMENT EXECUTE FUNCTION reject_audit_change()`)
}

/** INSERT OR REPLACE deletes without a DELETE trigger, so inserting an existing id is rejected. */
async function guardSqlite(trx: Knex.Transaction): Promise<void> {
  const reject = "SELECT RAISE(ABORT, 'rows of audit are never changed or deleted')"
  await trx.raw(`CREATE TRIGGER audit_no_update BEFORE UPDATE ON audit BEGIN ${reject}; END`)
  await trx.raw(`CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit BEGIN ${reject}; END`)
  await trx.raw(`CREATE TRIGGER audit_no_replace BEFORE INSERT ON audit
    WHEN EXISTS (SELECT 1 FROM audit WHERE id = NEW.id) BEGIN ${reject}; END`)
}
