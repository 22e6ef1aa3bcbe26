import { expect, test } from 'vitest'
import { BLOCKING_REFERENCES, ERASED } from '../../../core/import/references.ts'
import { ACTOR, edit, importFrom, openEmpty, peer } from '../../support/peers/imports.ts'
import { onBoth, openTestToolkit } from '../../support/toolkit.ts'

/** Columns that an undo keeps or that prevent it by another rule, and why. */
const KEPT: Readonly<Record<string, string>> = {
  'batches.member_id': 'members of teams prevent the undo',
  'carried_sums.account_id': 'deleted with its account',
  'holds.account_id': 'running relays prevent the undo',
  'ledger_entries.user_id': 'entries are never deleted',
  'ledger_heads.user_id': 'entries are never deleted',
  'log_clear_sums.user_id': 'charges prevent the undo',
  'logs.channel_id': 'charges prevent the undo, imported rows are deleted',
  'logs.token_id': 'charges prevent the undo, imported rows are deleted',
  'logs.user_id': 'charges prevent the undo, imported rows are deleted',
  'midjourneys.channel_id': 'tasks prevent the undo',
  'midjourneys.token_id': 'tasks prevent the undo',
  'midjourneys.user_id': 'tasks prevent the undo',
  'notice_targets.user_id': 'deleted with its deliveries',
  'quota_data.user_id': 'deleted with its sums',
  'redemption_batches.user_id': 'only says that a request was made before',
  'balance_requests.user_id': 'only says that a request was made before',
  'redemptions.used_user_id': 'redeemed codes prevent the undo',
  'redemptions.user_id': 'codes that an administrator made stay valid',
  'tasks.channel_id': 'tasks prevent the undo',
  'tasks.token_id': 'tasks prevent the undo',
  'tasks.user_id': 'tasks prevent the undo',
  'team_invites.team_id': 'a team is not imported',
  'team_members.team_id': 'a team is not imported',
  'team_members.user_id': 'members of teams prevent the undo',
  'tokens.member_id': 'members of teams prevent the undo',
  'tokens.user_id': 'keys made since prevent the undo',
  'top_ups.user_id': 'orders prevent the undo',
  'upstream_files.member_id': 'members of teams prevent the undo',
  'users.inviter_id': 'invitations prevent the undo',
}

test('an undo has a rule for each column with the id of a user, an API key or a channel', async () => {
  const { toolkit } = await openTestToolkit()
  const columns: { name: string }[] = await toolkit.db.reader.raw(
    `SELECT tables.name || '.' || columns.name AS name FROM sqlite_master AS tables
      JOIN pragma_table_info(tables.name) AS columns
      WHERE tables.type = 'table' AND tables.name NOT LIKE 'import%'
        AND (columns.name IN ('user_id', 'token_id', 'channel_id') OR columns.name LIKE '%account_id'
          OR columns.name LIKE '%user_id' OR columns.name LIKE '%channel_id' OR columns.name LIKE '%member_id'
          OR columns.name LIKE '%inviter_id' OR columns.name LIKE '%team_id')`,
  )
  const ruled = new Set([
    ...[ERASED, BLOCKING_REFERENCES].flatMap((rules) =>
      Object.values(rules)
        .flat()
        .map((reference) => reference.join('.')),
    ),
    ...Object.keys(KEPT),
  ])
  expect(columns.length).toBeGreaterThan(40)
  expect(columns.map(({ name }) => name).filter((name) => !ruled.has(name))).toEqual([])
})

onBoth('an import that is undone', (open) => {
  const undoIn = (toolkit: Awaited<ReturnType<typeof openEmpty>>, id: number) =>
    toolkit.imports.undo(ACTOR, id).catch((error) => error.params?.reason)

  test('leaves no key, limit or notice target, and no id is reused', async () => {
    const { toolkit, root } = await open()
    const rows = (table: string) => toolkit.db.reader(table).orderBy('id')
    const ids = async (table: string): Promise<number[]> => (await rows(table)).map(({ id }) => id)
    const first = await importFrom(toolkit, await peer({}, 'UPDATE users SET role = 10 WHERE id = 3'))
    const given = { users: await ids('users'), tokens: await ids('tokens'), channels: await ids('channels') }
    const [token, channel] = [given.tokens[0], given.channels[0]]
    const person = await toolkit.accounts.getByName(root, 'user3')

    const key = await toolkit.managementKeys.create(person, { name: 'ci', scopes: ['logs:read'] })
    expect(await undoIn(toolkit, first.id)).toBe('its users have management keys (1)')
    await toolkit.managementKeys.revoke(person, key.id)
    await toolkit.limits.set(
      root,
      Object.entries({ user: person.id, token, channel }).map(([subject, id]) => ({
        ...{ subject, subject_id: String(id), measure: 'requests', period: 'minute', amount: 5 },
      })) as Parameters<typeof toolkit.limits.set>[1],
    )
    await toolkit.notices.targets.create(person, {
      kind: 'webhook',
      name: 'mine',
      settings: { url: 'https://hooks.example.com/in', secret: 'a secret of sixteen or more' },
      events: ['balance.reached'],
    })
    expect(await undoIn(toolkit, first.id)).toMatchObject({ deleted: { users: 20, tokens: 40 } })
    for (const table of ['management_keys', 'limits', 'notice_targets']) expect(await rows(table)).toEqual([])

    const second = await importFrom(toolkit, await peer({}, `UPDATE tokens SET "key" = 'x' || "key"`))
    expect(second.tables.find(({ table }) => table === 'users')).toMatchObject({ imported: 20 })
    for (const table of ['users', 'tokens', 'channels'] as const) {
      const again = await ids(table)
      expect(again.filter((id) => given[table].includes(id))).toEqual(table === 'users' ? [root.id] : [])
    }
  })

  test('can be imported and undone again, also after a later import was undone', async () => {
    const { toolkit } = await open()
    const file = await peer()
    for (let round = 0; round < 2; round++) {
      const first = await importFrom(toolkit, file)
      await edit(file, 'UPDATE users SET quota = quota + 5 WHERE id = 4')
      const second = await importFrom(toolkit, file)
      expect(await undoIn(toolkit, second.id)).toMatchObject({ deleted: { users: 0 } })
      expect(await undoIn(toolkit, first.id)).toMatchObject({ deleted: { users: 20 } })
      expect(await toolkit.ledger.verify()).toMatchObject({ equal: true, users: 1 })
    }
  })

  test('keeps options set since, and names them', async () => {
    const { toolkit, root } = await open()
    const { id } = await importFrom(toolkit, await peer())
    const ratios = JSON.stringify({ default: 1, vip: 3 })
    await toolkit.options.set(root, 'GroupRatio', ratios)
    await toolkit.options.set(root, 'GitHubClientSecret', 'another secret')

    expect(await undoIn(toolkit, id)).toMatchObject({
      deleted: { options: 3 },
      keptOptions: expect.toSatisfy((keys: string[]) => keys.sort().join() === 'GitHubClientSecret,GroupRatio'),
    })

    expect(toolkit.options.read(root, 'GroupRatio')).toBe(ratios)
    expect(await toolkit.db.reader('options').whereIn('key', ['SystemName', 'QuotaForNewUser'])).toEqual([])
  })

  test('keeps all options if an earlier version imported them, without their digests', async () => {
    const { toolkit } = await open()
    const { id } = await importFrom(toolkit, await peer())
    const { state } = await toolkit.db.reader('imports').where({ id }).first('state')
    const { optionDigests: _, ...earlier } = JSON.parse(state)
    await toolkit.db.transaction((trx) =>
      trx('imports')
        .where({ id })
        .update({ state: JSON.stringify(earlier) }),
    )

    const { deleted, keptOptions } = await toolkit.imports.undo(ACTOR, id)
    expect([deleted.options, keptOptions.length]).toEqual([0, 5])
  })

  test('is rejected while its users have charges in a cleared log', async () => {
    const { toolkit, root, charge } = await open()
    const { id } = await importFrom(toolkit, await peer(), { logs: 'none' })
    const user = await toolkit.accounts.getByName(root, 'user5')
    await charge(user, { quota: 1000 })
    await toolkit.logs.clear(root, Math.floor(Date.now() / 1000) + 60)
    expect(await undoIn(toolkit, id)).toBe('charges of its users were in the log, which was cleared since (1)')
  })
})

onBoth('an import that was interrupted', (_, database) => {
  test('keeps the ids of the source, though PostgreSQL has already reserved them', async () => {
    const toolkit = await openEmpty(database)
    const file = await peer()
    const [userId, tokenId] = [7, 9]
    // The state after an import that was killed while it wrote its users.
    await importFrom(toolkit, file, { signal: AbortSignal.abort() }).catch(() => undefined)
    if (database === 'postgres') await toolkit.db.reader.raw(`SELECT setval(pg_get_serial_sequence('users', 'id'), 20)`)

    const { remapped } = await importFrom(toolkit, file)

    expect(remapped).toEqual([])
    expect(await toolkit.db.reader('tokens').where({ id: tokenId })).toHaveLength(1)
    expect(await toolkit.db.reader('users').where({ id: userId })).toHaveLength(1)
  })
})
