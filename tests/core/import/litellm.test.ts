import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { beforeEach, describe, expect, test } from 'vitest'
import { readLitellmConfig } from '../../../core/import/litellm/config.ts'
import { createWorld } from '../../cli/support.ts'
import { createPostgresDatabase } from '../../support/postgres.ts'
import { skipWithoutPostgres } from '../../support/toolkit.ts'

const CONFIG = `
model_list:
  - model_name: gpt-4o
    litellm_params: { model: azure/my-gpt, api_base: https://x.openai.azure.com/, api_key: os.environ/AZURE_KEY, api_version: "2024-06-01", weight: 3 }
  - model_name: gpt-4o
    litellm_params: { model: openai/gpt-4o, api_key: sk-one }
  - model_name: small
    litellm_params: { model: gpt-4o-mini, api_key: sk-one }
  - model_name: claude
    litellm_params: { model: anthropic/claude-sonnet-4-5, api_key: os.environ/MISSING_KEY }
  - model_name: local
    litellm_params: { model: ollama/llama3, api_base: "http://127.0.0.1:11434" }
  - model_name: odd
    litellm_params: { model: acme/unknown-1, api_key: k, input_cost_per_token: 0.000001 }
  - model_name: "openai/*"
    litellm_params: { model: "openai/*", api_key: k }
  - model_name: broken
router_settings: { routing_strategy: simple-shuffle }
`
const KEYS = ['sk-abcdefghijklmnopqrstuv', 'sk-budgetbudgetbudgetbu_', 'sk-teamteamteamteamteam12']
const sha256 = (key: string) => createHash('sha256').update(key).digest('hex')

async function createLitellmDatabase(): Promise<string> {
  const url = await createPostgresDatabase()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const [plain = '', budget = '', team = ''] = KEYS.map(sha256)
  await client.query(`
    CREATE TABLE "LiteLLM_UserTable" (user_id text PRIMARY KEY, user_alias text, user_email text, user_role text, spend double precision DEFAULT 0, max_budget double precision, models text[], rpm_limit bigint, tpm_limit bigint, max_parallel_requests integer, budget_duration text);
    CREATE TABLE "LiteLLM_TeamTable" (team_id text PRIMARY KEY, team_alias text, spend double precision DEFAULT 0, max_budget double precision, blocked boolean DEFAULT false, models text[], tpm_limit bigint, metadata jsonb);
    CREATE TABLE "LiteLLM_VerificationToken" (token text PRIMARY KEY, key_name text, key_alias text, spend double precision DEFAULT 0, max_budget double precision, budget_duration text, models text[], user_id text, team_id text, expires timestamp(3), blocked boolean, rpm_limit bigint, max_parallel_requests integer);
    CREATE TABLE "LiteLLM_SpendLogs" (request_id text);
    INSERT INTO "LiteLLM_UserTable" VALUES ('u1', 'Ann', 'ann@example.com', 'proxy_admin', 2, 10, '{}', 60, 9000, 4, '1d'), ('u2', NULL, NULL, 'internal_user', 0, NULL, '{gpt-4o,claude}', 2000000000000000, 0, NULL, NULL);
    INSERT INTO "LiteLLM_TeamTable" VALUES ('t1', 'research', 1, 5, false, '{small}', 7000, '{"model_rpm_limit":{"small":3}}');
    INSERT INTO "LiteLLM_VerificationToken" VALUES
      ('${plain}', 'sk-...stuv', 'plain', 0, NULL, NULL, '{all-proxy-models}', 'u1', NULL, NULL, NULL, 30, 2),
      ('${budget}', 'sk-...bu_', 'with budget', 0.5, 2, '30d', '{gpt-4o,small}', 'u2', NULL, '2031-01-01 00:00:00', false, NULL, NULL),
      ('${team}', 'sk-...am12', NULL, 0, NULL, NULL, '{}', NULL, 't1', NULL, false, NULL, NULL),
      ('not-a-hash', 'sk-...x', NULL, 0, NULL, NULL, '{}', NULL, NULL, NULL, true, 5, NULL)`)
  await client.end()
  return url
}

test('a model list becomes channels: one per account, with mapping, weight and priority', () => {
  const { channels, warnings } = readLitellmConfig(CONFIG, {
    source: 'config.yaml',
    environment: { AZURE_KEY: 'azure-key' },
  })
  const summaries = channels.map(({ type, models, key, base_url, other, weight, status, model_mapping }) => ({
    type,
    models,
    key,
    base_url,
    other,
    weight,
    status,
    model_mapping,
  }))
  expect(summaries).toEqual([
    {
      type: 3,
      models: 'gpt-4o',
      key: 'azure-key',
      base_url: 'https://x.openai.azure.com',
      other: '2024-06-01',
      weight: 3,
      status: 1,
      model_mapping: '{"gpt-4o":"my-gpt"}',
    },
    {
      type: 1,
      models: 'gpt-4o,small',
      key: 'sk-one',
      base_url: '',
      other: '',
      weight: 1,
      status: 1,
      model_mapping: '{"small":"gpt-4o-mini"}',
    },
    {
      type: 14,
      models: 'claude',
      key: 'none',
      base_url: '',
      other: '',
      weight: 1,
      status: 2,
      model_mapping: '{"claude":"claude-sonnet-4-5"}',
    },
    {
      type: 4,
      models: 'local',
      key: 'none',
      base_url: 'http://127.0.0.1:11434',
      other: '',
      weight: 1,
      status: 1,
      model_mapping: '{"local":"llama3"}',
    },
    {
      type: 1,
      models: 'odd',
      key: 'k',
      base_url: '',
      other: '',
      weight: 1,
      status: 2,
      model_mapping: '{"odd":"acme/unknown-1"}',
    },
  ])
  expect(warnings.join('\n')).toMatch(
    /MISSING_KEY, which is not set[\s\S]*odd has prices of its own[\s\S]*openai\/\* is a pattern[\s\S]*model_list\[7\]/,
  )
})

test.each([['model_list: ['], ['general_settings: {}'], ['- a'], ['']])('%j is rejected as a configuration', (text) => {
  expect(() => readLitellmConfig(text, { source: 'config.yaml', environment: {} })).toThrow('IMPORT_SOURCE_UNREADABLE')
})

describe('with its database', () => {
  beforeEach(skipWithoutPostgres)

  test('users, teams, budgets and keys are imported, and old keys are recognized', async () => {
    const fixture = await createWorld({}, { isEmpty: false })
    await writeFile(join(fixture.folder, 'config.yaml'), CONFIG)
    const url = await createLitellmDatabase()
    const words = ['import', 'litellm', 'config.yaml', '--source-database', url, '--balance', '7000', '--yes']

    const report = await fixture.json(...words)

    expect(
      report.tables.map(({ table, imported }: { table: string; imported: number }) => `${table} ${imported}`),
    ).toEqual(expect.arrayContaining(['users 4', 'tokens 3', 'channels 5']))
    expect(report.skipped).toEqual([{ table: 'tokens', id: expect.any(Number), what: 'it has no key' }])
    expect(report.unknownTables).toEqual(['LiteLLM_SpendLogs'])
    expect(report.warnings).toEqual(
      expect.arrayContaining([
        expect.stringContaining('1 keys have budgets that are renewed'),
        expect.stringContaining('1 users have budgets that are renewed'),
        expect.stringContaining('1 users have a rpm_limit that is not a whole number from 1 to 1000000000000000'),
        expect.stringContaining('1 users have a tpm_limit that is not a whole number from 1 to 1000000000000000'),
        expect.stringContaining('1 teams have limits or budgets of single models'),
        expect.stringContaining('2 users and teams may use some models only'),
      ]),
    )
    expect(report.tables.find(({ table }: { table: string }) => table === 'limits')).toMatchObject({
      ...{ rows: 7, imported: 6, skipped: 1 },
    })
    await fixture.inside(async (toolkit, root) => {
      const users = await toolkit.db
        .reader('users')
        .orderBy('username')
        .select('username', 'role', 'quota', 'used_quota')
      expect(users.filter(({ username }) => username !== 'root')).toEqual([
        { username: 'Ann', role: 10, quota: 4_000_000, used_quota: 1_000_000 },
        { username: 'litellm', role: 1, quota: 7000, used_quota: 0 },
        { username: 'team research', role: 1, quota: 2_000_000, used_quota: 500_000 },
        { username: 'u2', role: 1, quota: 7000, used_quota: 0 },
      ])
      const find = (key = '') => toolkit.callers.findToken(key.replace('sk-', ''))
      expect(await find(KEYS[0])).toMatchObject({ name: 'plain', unlimited: true, models: undefined, status: 1 })
      expect(await find(KEYS[1])).toMatchObject({
        name: 'with budget',
        unlimited: false,
        models: new Set(['gpt-4o']),
        expiredTime: 1_924_992_000,
      })
      expect((await find(KEYS[2]))?.userId).toBe(
        (await toolkit.db.reader('users').where({ username: 'team research' }).first('id')).id,
      )
      expect((await find(KEYS[2]))?.models).toEqual(new Set(['small']))
      const limits = await toolkit.limits.list(root)
      expect(
        limits
          .map(({ subject, name, measure, period, amount }) => `${subject} ${name}: ${amount} ${measure} ${period}`)
          .sort(),
      ).toEqual([
        'token plain: 2 concurrent none',
        'token plain: 30 requests minute',
        'user Ann: 4 concurrent none',
        'user Ann: 60 requests minute',
        'user Ann: 9000 tokens minute',
        'user team research: 7000 tokens minute',
      ])
      // What the other program's database shows is no key.
      expect(await find(`sha256:${sha256(KEYS[0] ?? '')}`)).toBeUndefined()
      expect(await find(sha256(KEYS[0] ?? ''))).toBeUndefined()
      expect(await toolkit.db.reader('tokens').where({ name: 'with budget' }).pluck('remain_quota')).toEqual([750_000])
      expect(await toolkit.ledger.verify()).toMatchObject({ equal: true })
    })
    const again = await fixture.json(...words)
    expect(
      again.tables
        .filter(({ table }: { table: string }) => table !== 'options')
        .every(({ imported }: { imported: number }) => imported === 0),
    ).toBe(true)
    expect(await fixture.json('import', 'undo', String(again.id), '--yes')).toMatchObject({ id: again.id })
    expect(await fixture.json('import', 'undo', String(report.id), '--yes')).toMatchObject({
      deleted: { users: 4, tokens: 3, channels: 5 },
    })
  })

  test('dollars become the quota of the gateway, and a locally removed limit is not imported again', async () => {
    const fixture = await createWorld({}, { isEmpty: false })
    await fixture.inside((toolkit, root) => toolkit.options.set(root, 'QuotaPerUnit', '1000'))
    await writeFile(join(fixture.folder, 'config.yaml'), CONFIG)
    const url = await createLitellmDatabase()
    const words = ['import', 'litellm', 'config.yaml', '--source-database', url]
    const dry = await fixture.json(...words, '--dry-run')
    expect(dry.tables.find(({ table }: { table: string }) => table === 'limits')).toMatchObject({ imported: 6 })

    const report = await fixture.json(...words, '--yes')

    expect(report.warnings.join()).not.toContain('One dollar')
    await fixture.inside(async (toolkit, root) => {
      const users = await toolkit.db.reader('users').orderBy('username').select('username', 'quota')
      expect(users.filter(({ username }) => username !== 'root')).toEqual([
        { username: 'Ann', quota: 8000 },
        { username: 'litellm', quota: 10_000_000 },
        { username: 'team research', quota: 4000 },
        { username: 'u2', quota: 10_000_000 },
      ])
      for (const { id } of await toolkit.limits.list(root)) await toolkit.limits.remove(root, id)
    })
    const again = await fixture.json(...words, '--yes')
    expect(again.tables.find(({ table }: { table: string }) => table === 'limits')).toMatchObject({
      ...{ imported: 0, known: 6, skipped: 1 },
    })
    await fixture.inside(async (toolkit, root) => expect(await toolkit.limits.list(root)).toEqual([]))
  })

  test('limits and budgets that change at the source come with the next import, those that were edited here stay', async () => {
    const world = await createWorld({}, { isEmpty: false })
    await writeFile(join(world.folder, 'config.yaml'), CONFIG)
    const url = await createLitellmDatabase()
    const words = ['import', 'litellm', 'config.yaml', '--source-database', url, '--balance', '7000', '--yes']
    const limits = () =>
      world.inside(async (toolkit, root) =>
        (await toolkit.limits.list(root))
          .map(({ name, measure, period, amount, action }) => `${name}: ${amount} ${measure} ${period} ${action}`)
          .sort(),
      )
    await world.json(...words)
    const imported = await limits()
    await world.inside(async (toolkit, root) => {
      const set = async (name: string, changes: object) => {
        const all = await toolkit.limits.list(root)
        const { subject, subject_id, measure, period, amount } = all.find(
          (limit) => `${limit.name} ${limit.measure}` === name,
        ) as (typeof all)[number]
        await toolkit.limits.set(root, [{ subject, subject_id, measure, period, amount, ...changes }])
      }
      // Another amount is an edit of this gateway; what happens to a request that exceeds it does not matter.
      await set('plain requests', { amount: 31 })
      await set('Ann requests', { action: 'notify' })
    })
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(`
      UPDATE "LiteLLM_VerificationToken" SET rpm_limit = 90, max_parallel_requests = NULL WHERE key_alias = 'plain';
      UPDATE "LiteLLM_VerificationToken" SET rpm_limit = 12, max_budget = 3 WHERE key_alias = 'with budget';
      UPDATE "LiteLLM_UserTable" SET rpm_limit = 61, max_budget = 11 WHERE user_id = 'u1'`)
    await client.end()
    const of = (report: { tables: { table: string }[] }) => report.tables.find(({ table }) => table === 'limits')

    const planned = await world.json(...words, '--dry-run')
    const again = await world.json(...words)

    expect([of(planned), of(again)]).toMatchObject([
      { rows: 7, known: 6, updated: 3 },
      { rows: 7, known: 6, updated: 3 },
    ])
    const conflict =
      'the limit of requests per minute is 90 at the source and 31 here, since it was changed on both sides: the value here is kept'
    for (const { changed } of [planned, again])
      expect(changed).toEqual([{ table: 'tokens', id: expect.any(Number), what: conflict }])
    const updated = [
      'Ann: 4 concurrent none reject',
      'Ann: 61 requests minute notify',
      'Ann: 9000 tokens minute reject',
      'plain: 31 requests minute reject',
      'team research: 7000 tokens minute reject',
      'with budget: 12 requests minute reject',
    ]
    expect(await limits()).toEqual(updated)
    await world.inside(async (toolkit) => {
      expect(await toolkit.db.reader('tokens').where({ name: 'with budget' }).pluck('remain_quota')).toEqual([
        1_250_000,
      ])
      expect(await toolkit.db.reader('users').where({ username: 'Ann' }).pluck('quota')).toEqual([4_500_000])
    })
    const third = await world.json(...words)
    expect([of(third), third.changed]).toMatchObject([{ updated: 0 }, []])

    // An undo restores the limits that were not edited here since.
    await world.inside(async (toolkit, root) => {
      const all = await toolkit.limits.list(root)
      const limit = all.find(({ name, measure }) => name === 'with budget' && measure === 'requests')
      if (limit) await toolkit.limits.set(root, [{ ...limit, amount: 13 }])
    })
    await world.json('import', 'undo', String(third.id), '--yes')
    const { kept } = await world.json('import', 'undo', String(again.id), '--yes')
    const since = 'since it was changed after the import: it is kept'
    expect(kept).toEqual([
      { table: 'tokens', id: expect.any(Number), what: `the limit of requests per minute is 13 here, ${since}` },
    ])
    expect(await limits()).toEqual([
      'Ann: 4 concurrent none reject',
      'Ann: 60 requests minute notify',
      'Ann: 9000 tokens minute reject',
      'plain: 2 concurrent none reject',
      'plain: 31 requests minute reject',
      'team research: 7000 tokens minute reject',
      'with budget: 13 requests minute reject',
    ])
    expect(imported).toHaveLength(6)
  })

  test('a LiteLLM database is recognized when Tollgate starts on it', async () => {
    const url = await createLitellmDatabase()
    const { run } = await createWorld({}, { isEmpty: true })
    const { exitCode, stderr } = await run(['serve', '--database', url])
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(/This is a LiteLLM database. To move in: tollgate import litellm .*--database sqlite:/)
  })
})
