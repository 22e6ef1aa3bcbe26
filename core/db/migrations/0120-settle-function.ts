import type { Knex } from 'knex'

/**
 * On PostgreSQL, creates the function that writes a batch of settlements (`core/ledger/postgres-batch.ts`).
 *
 * Each statement of the function sees the rows as they are when the statement begins. One statement for the whole batch
 * would see them as they were before it waited for a lock. PostgreSQL would then compute it again for each row that
 * another gateway had changed.
 */
export async function up(trx: Knex.Transaction): Promise<void> {
  if (trx.client.dialect === 'postgresql') await trx.raw(SETTLE_CHARGES)
}

/**
 * Each array has one element per row. Rows are locked in the order of `core/ledger/settlement.ts`. A single row needs no
 * lock before its update.
 */
const SETTLE_CHARGES = `
CREATE OR REPLACE FUNCTION settle_charges(
  epoch text, charged_at bigint, is_counted boolean,
  log_user_id integer[], log_created_at bigint[], log_type integer[], log_content text[], log_username text[],
  log_token_name text[], log_model_name text[], log_quota bigint[], log_prompt_tokens integer[],
  log_completion_tokens integer[], log_use_time integer[], log_is_stream boolean[], log_channel_id integer[],
  log_token_id integer[], log_group text[], log_other text[], log_request_id text[],
  user_ids bigint[], user_quota bigint[], user_count bigint[], user_shrink bigint[],
  token_ids bigint[], token_quota bigint[], token_shrink bigint[],
  hold_accounts text[], hold_ids bigint[], hold_quota bigint[],
  channel_ids bigint[], channel_quota bigint[],
  hour_user_id integer[], hour_created_at bigint[], hour_model_name text[], hour_username text[],
  hour_count bigint[], hour_quota bigint[], hour_token_used bigint[],
  model_hour_created_at bigint[], model_hour_model_name text[],
  model_hour_count bigint[], model_hour_quota bigint[], model_hour_token_used bigint[]
) RETURNS void LANGUAGE plpgsql AS $function$
DECLARE
  shrunk integer;
BEGIN
  PERFORM 1 FROM nodes WHERE id = epoch FOR KEY SHARE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'epoch % has ended', epoch;
  END IF;

  INSERT INTO logs (user_id, created_at, type, content, username, token_name, model_name, quota, prompt_tokens,
      completion_tokens, use_time, is_stream, channel_id, token_id, "group", other, request_id)
    SELECT * FROM unnest(log_user_id, log_created_at, log_type, log_content, log_username, log_token_name,
      log_model_name, log_quota, log_prompt_tokens, log_completion_tokens, log_use_time, log_is_stream, log_channel_id,
      log_token_id, log_group, log_other, log_request_id);

  IF cardinality(user_ids) > 1 THEN
    PERFORM 1 FROM users WHERE id = ANY(user_ids) ORDER BY id FOR NO KEY UPDATE;
  END IF;
  UPDATE users SET quota = users.quota - delta.quota, used_quota = users.used_quota + delta.quota,
      request_count = users.request_count + delta.count, held_quota = users.held_quota - delta.shrink
    FROM unnest(user_ids, user_quota, user_count, user_shrink) AS delta(id, quota, count, shrink)
    WHERE users.id = delta.id;

  IF cardinality(token_ids) > 1 THEN
    PERFORM 1 FROM tokens WHERE id = ANY(token_ids) ORDER BY id FOR NO KEY UPDATE;
  END IF;
  UPDATE tokens SET remain_quota = tokens.remain_quota - delta.quota, used_quota = tokens.used_quota + delta.quota,
      held_quota = tokens.held_quota - delta.shrink, accessed_time = charged_at
    FROM unnest(token_ids, token_quota, token_shrink) AS delta(id, quota, shrink)
    WHERE tokens.id = delta.id;

  UPDATE holds SET quota = holds.quota - delta.quota
    FROM unnest(hold_accounts, hold_ids, hold_quota) AS delta(account, id, quota)
    WHERE holds.node_id = epoch AND holds.account = delta.account AND holds.account_id = delta.id;
  GET DIAGNOSTICS shrunk = ROW_COUNT;
  IF shrunk <> cardinality(hold_ids) THEN
    RAISE EXCEPTION 'a reserve is missing';
  END IF;

  IF cardinality(channel_ids) > 1 THEN
    PERFORM 1 FROM channels WHERE id = ANY(channel_ids) ORDER BY id FOR NO KEY UPDATE;
  END IF;
  UPDATE channels SET used_quota = channels.used_quota + delta.quota
    FROM unnest(channel_ids, channel_quota) AS delta(id, quota)
    WHERE channels.id = delta.id;

  IF NOT is_counted THEN
    INSERT INTO partial_hours (created_at) SELECT DISTINCT unnest(hour_created_at) AS hour ORDER BY hour
      ON CONFLICT DO NOTHING;
    RETURN;
  END IF;

  -- Existing rows are updated first, because an INSERT that finds its row would use up an id of the sequence.
  WITH delta AS (SELECT * FROM unnest(hour_user_id, hour_created_at, hour_model_name, hour_username, hour_count, hour_quota,
      hour_token_used) AS added(user_id, created_at, model_name, username, count, quota, token_used)),
    updated AS (UPDATE quota_data AS hour SET count = hour.count + delta.count, quota = hour.quota + delta.quota,
        token_used = hour.token_used + delta.token_used
      FROM delta WHERE hour.user_id = delta.user_id AND hour.created_at = delta.created_at
        AND hour.model_name = delta.model_name AND hour.username = delta.username
      RETURNING hour.user_id, hour.created_at, hour.model_name, hour.username)
  INSERT INTO quota_data (user_id, created_at, model_name, username, count, quota, token_used)
    SELECT * FROM delta
      WHERE (user_id, created_at, model_name, username) NOT IN (SELECT * FROM updated)
      ORDER BY created_at, user_id, model_name, username
    ON CONFLICT (user_id, created_at, model_name, username) DO UPDATE SET count = quota_data.count + excluded.count,
      quota = quota_data.quota + excluded.quota, token_used = quota_data.token_used + excluded.token_used;

  IF cardinality(model_hour_created_at) > 1 THEN
    PERFORM 1 FROM model_hours
      WHERE (created_at, model_name) IN (SELECT * FROM unnest(model_hour_created_at, model_hour_model_name))
      ORDER BY created_at, model_name FOR NO KEY UPDATE;
  END IF;
  WITH delta AS (SELECT * FROM unnest(model_hour_created_at, model_hour_model_name, model_hour_count, model_hour_quota,
      model_hour_token_used) AS added(created_at, model_name, count, quota, token_used)),
    updated AS (UPDATE model_hours AS hour SET count = hour.count + delta.count, quota = hour.quota + delta.quota,
        token_used = hour.token_used + delta.token_used
      FROM delta WHERE hour.created_at = delta.created_at AND hour.model_name = delta.model_name
      RETURNING hour.created_at, hour.model_name)
  INSERT INTO model_hours (created_at, model_name, count, quota, token_used)
    SELECT * FROM delta WHERE (created_at, model_name) NOT IN (SELECT * FROM updated)
      ORDER BY created_at, model_name
    ON CONFLICT (created_at, model_name) DO UPDATE SET count = model_hours.count + excluded.count,
      quota = model_hours.quota + excluded.quota, token_used = model_hours.token_used + excluded.token_used;
END
$function$`
