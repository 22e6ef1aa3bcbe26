import type { Knex } from 'knex'

/**
 * On PostgreSQL, creates the functions that change reserves in one round trip (`core/ledger/postgres-reserves.ts`).
 * `granted` is the quota that `operation` added. A process reads this column if the function's reply was lost.
 */
export async function up(trx: Knex.Transaction): Promise<void> {
  await trx.schema.alterTable('holds', (table) => {
    table.bigInteger('granted').notNullable().defaultTo(0)
  })
  if (trx.client.dialect !== 'postgresql') return
  await trx.raw(RESERVE_QUOTA)
  await trx.raw(RETURN_RESERVES)
}

/** Reserves `missing` and an advance. Returns the reserved quota, or 0 if the case is not the usual one. */
const RESERVE_QUOTA = `
CREATE OR REPLACE FUNCTION reserve_quota(
  epoch text, of_account text, of_id bigint, missing bigint, ample_factor bigint, advance_divisor bigint,
  operation_number bigint
) RETURNS bigint LANGUAGE plpgsql AS $function$
DECLARE
  free bigint;
  added bigint;
BEGIN
  PERFORM 1 FROM nodes WHERE id = epoch FOR KEY SHARE;
  IF NOT FOUND THEN
    RETURN 0;
  END IF;
  IF of_account = 'user' THEN
    SELECT quota - held_quota INTO free FROM users WHERE id = of_id FOR NO KEY UPDATE;
  ELSE
    SELECT remain_quota - held_quota INTO free FROM tokens WHERE id = of_id FOR NO KEY UPDATE;
  END IF;
  IF free IS NULL OR free <= 0 OR free < missing * ample_factor THEN
    RETURN 0;
  END IF;
  added := missing + (free - missing) / advance_divisor;
  -- The process has already found that a later or the same operation is the last one, so this one comes too late.
  IF added = 0 OR EXISTS (SELECT 1 FROM holds
      WHERE node_id = epoch AND account = of_account AND account_id = of_id AND operation >= operation_number) THEN
    RETURN 0;
  END IF;
  IF of_account = 'user' THEN
    UPDATE users SET held_quota = held_quota + added WHERE id = of_id;
  ELSE
    UPDATE tokens SET held_quota = held_quota + added WHERE id = of_id;
  END IF;
  INSERT INTO holds (node_id, account, account_id, quota, operation, granted)
    VALUES (epoch, of_account, of_id, added, operation_number, added)
    ON CONFLICT (node_id, account, account_id) DO UPDATE SET quota = holds.quota + added, operation = operation_number,
      granted = added;
  RETURN added;
END
$function$`

/**
 * Gives reserved quota back to its balances. Returns the sum of the removed quota, or NULL if the epoch has ended. Each
 * array has one element per reserve. The rows are locked in the order of `core/ledger/accounts.ts`.
 */
const RETURN_RESERVES = `
CREATE OR REPLACE FUNCTION return_reserves(
  epoch text, accounts text[], ids bigint[], quotas bigint[], operations bigint[]
) RETURNS bigint LANGUAGE plpgsql AS $function$
DECLARE
  reserve record;
  removed bigint;
  total bigint := 0;
BEGIN
  PERFORM 1 FROM nodes WHERE id = epoch FOR KEY SHARE;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  PERFORM 1 FROM users WHERE id IN (SELECT id FROM unnest(accounts, ids) AS given(account, id) WHERE account = 'user')
    ORDER BY id FOR NO KEY UPDATE;
  PERFORM 1 FROM tokens WHERE id IN (SELECT id FROM unnest(accounts, ids) AS given(account, id) WHERE account = 'token')
    ORDER BY id FOR NO KEY UPDATE;
  FOR reserve IN
    SELECT holds.account, holds.account_id, holds.quota, given.quota AS returned, given.operation
      FROM holds JOIN unnest(accounts, ids, quotas, operations) AS given(account, id, quota, operation)
        ON holds.account = given.account AND holds.account_id = given.id
      WHERE holds.node_id = epoch FOR UPDATE OF holds
  LOOP
    removed := least(reserve.returned, reserve.quota);
    IF removed = reserve.quota THEN
      DELETE FROM holds
        WHERE node_id = epoch AND account = reserve.account AND account_id = reserve.account_id;
    ELSE
      UPDATE holds SET quota = quota - removed, operation = reserve.operation
        WHERE node_id = epoch AND account = reserve.account AND account_id = reserve.account_id;
    END IF;
    IF reserve.account = 'user' THEN
      UPDATE users SET held_quota = greatest(held_quota - removed, 0) WHERE id = reserve.account_id;
    ELSE
      UPDATE tokens SET held_quota = greatest(held_quota - removed, 0) WHERE id = reserve.account_id;
    END IF;
    total := total + removed;
  END LOOP;
  RETURN total;
END
$function$`
