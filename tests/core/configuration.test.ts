import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import type { ConfigurationDocument } from '../../core/configuration/schema.ts'
import { SECTIONS } from '../../core/configuration/sections.ts'
import { onBoth, type TestToolkit } from '../support/toolkit.ts'

/** A management key as an operator draws it. */
const drawn = () => `tgm_${randomBytes(32).toString('hex')}`

/** A document with all sections, over a gateway that has only users. */
async function complete({ toolkit, user }: TestToolkit) {
  const [ann, bob, eve] = [await user(), await user(), await user()]
  const { name: token } = await toolkit.tokens.create(ann, { name: 'app', unlimited_quota: true })
  const document = {
    version: 1,
    options: { SystemName: 'House', SMTPToken: 'smtp secret' },
    groups: {
      default: { ratio: 1, description: 'all' },
      partner: { ratio: 0.5, debt: 70 },
      svip: { ratio: 1 },
      vip: { ratio: 2 },
    },
    prices: { 'house-model': { ratio: 3, completion: 2 } },
    channels: {
      openai: {
        type: 'openai',
        key: 'sk-one\nsk-two',
        models: ['gpt-4o'],
        groups: ['default', 'partner'],
        setting: { multi_key_mode: 'polling' },
      },
    },
    teams: {
      lab: { owner: ann.username, group: 'partner', members: { [bob.username]: 'admin', [eve.username]: 'member' } },
    },
    limits: [
      { subject: 'user', name: '*', measure: 'requests', period: 'minute', amount: 60 },
      {
        subject: 'user',
        name: bob.username,
        measure: 'tokens',
        period: 'day',
        time_zone: 'Asia/Shanghai',
        amount: 1e6,
      },
      { subject: 'token', user: ann.username, name: token, measure: 'concurrent', amount: 4 },
      { subject: 'group', name: 'partner', measure: 'quota', period: 'month', amount: 5e6, action: 'notify' },
      { subject: 'model', name: 'house-model', measure: 'requests', period: 'second', amount: 5 },
      ...['channel', 'channel-key'].map((subject) => ({
        ...{ subject, name: 'openai', measure: 'requests', period: 'minute', amount: 100 },
        ...(subject === 'channel-key' ? { channel_key: 2 } : { action: 'queue', wait_seconds: 5 }),
      })),
      { subject: 'address', name: '203.0.113.7', measure: 'requests', period: 'hour', amount: 100 },
      { subject: 'member', team: 'lab', name: eve.username, measure: 'quota', period: 'week', amount: 9000 },
    ],
    management_keys: [
      { user: ann.username, name: 'nightly', key: drawn(), scopes: ['codes:create'], quota_max: 5000 },
      { user: 'root', name: 'ci', key: drawn(), scopes: ['configuration:*', 'logs:read'], expires_at: '2099-01-31' },
    ],
  } as unknown as Required<ConfigurationDocument>
  return { document, ann, bob, eve }
}

onBoth('configuration', (open) => {
  async function openFixture() {
    const fixture = await open()
    const { configuration } = fixture.toolkit
    const parts = await complete(fixture)
    const plan = (document: ConfigurationDocument, prune = false) =>
      configuration.plan(fixture.root, { document, prune })
    const apply = async (document: ConfigurationDocument, prune = false) =>
      configuration.apply(fixture.root, { document, prune, plan: await plan(document, prune) })
    /** Changes as they read: `update teams.lab members.x`. */
    const planned = async (document: ConfigurationDocument, prune = false) =>
      (await plan(document, prune)).changes.flatMap(({ action, section, name, fields }) =>
        action === 'update'
          ? fields.map(({ field }) => `update ${section}.${name} ${field}`)
          : [`${action} ${section}.${name}`],
      )
    return { ...fixture, ...parts, plan, apply, planned }
  }

  test('an empty database becomes a complete gateway, and the next plan has no changes', async () => {
    const { toolkit, root, document, ann, bob, eve, plan, apply } = await openFixture()
    expect(new Set((await plan(document)).changes.map(({ section }) => section))).toEqual(new Set(SECTIONS))
    await apply(document)

    expect(await plan(document, true)).toEqual({ document: expect.stringMatching(/^\w{32}$/), changes: [] })
    const team = await toolkit.teams.getByName(root, 'lab')
    expect(team).toMatchObject({ owner: ann.username, group: 'partner', members: 3, quota: 0 })
    expect(await toolkit.teams.members(root, team.id)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ username: bob.username, role: 'admin' }),
        expect.objectContaining({ username: eve.username, role: 'member' }),
      ]),
    )
    const limits = await toolkit.limits.list(root)
    expect(limits).toHaveLength(9)
    expect(limits.find(({ subject }) => subject === 'member')).toMatchObject({
      subject_id: `${team.id}/${eve.id}`,
      amount: 9000,
    })
    const key = document.management_keys[0]?.key ?? ''
    expect(await toolkit.managementKeys.find(key)).toMatchObject({ user: { id: ann.id }, scopes: ['codes:create'] })
    expect(await toolkit.ledger.verify()).toMatchObject({ differences: [] })
  })

  test('an export contains no secret, and applying it changes nothing', async () => {
    const { toolkit, root, document, apply, planned } = await openFixture()
    await apply(document)
    const exported = await toolkit.configuration.export(root)

    const text = JSON.stringify(exported)
    expect(text).not.toMatch(/sk-one|smtp secret|tgm_/)
    expect(exported.management_keys).toHaveLength(2)
    const { options: _, channels: __, ...others } = exported
    expect(await planned(others, true)).toEqual([])
  })

  test('an export names keys of channels by position, so that another gateway has the same limits', async () => {
    const [first, second] = [await openFixture(), await openFixture()]
    await first.apply(first.document)

    const { limits } = await first.toolkit.configuration.export(first.root)
    expect(limits).toContainEqual(expect.objectContaining({ subject: 'channel-key', channel_key: 2 }))
    const { groups: _, ...openai } = first.document.channels.openai ?? { type: '' }
    await second.apply({ version: 1, channels: { openai } })
    await second.apply({ version: 1, limits: limits?.filter(({ subject }) => subject.startsWith('channel')) ?? [] })
    const [limited] = await second.toolkit.limits.list(second.root, { subject: 'channel-key', subject_id: '1/2' })
    expect(limited).toMatchObject({ amount: 100 })

    // The limit of a removed key is no longer part of it.
    const { items } = await first.toolkit.channels.list(first.root, {})
    await first.toolkit.channels.update(first.root, items[0]?.id ?? 0, { key: 'sk-three\nsk-four' })
    const exported = await first.toolkit.configuration.export(first.root)
    expect(exported.limits?.map(({ subject }) => subject)).not.toContain('channel-key')
    expect(await first.planned({ version: 1, limits: exported.limits ?? [] }, true)).toEqual([])
  })

  test.each([3, 'abcdef', '0123456789ab', '000000000001'])(
    'a plan rejects the unknown key %j of a channel',
    async (key) => {
      const { document, plan } = await openFixture()
      const limit = { subject: 'channel-key', name: 'openai', measure: 'requests', period: 'day', amount: 1 } as const
      const wanted = { ...document, limits: [{ ...limit, channel_key: key }] }
      await expect(plan(wanted)).rejects.toMatchObject({
        code: 'CONFIGURATION_INVALID',
        params: { reason: expect.stringContaining(`openai/${key}`) },
      })
    },
  )

  test('a manual change is drift in its section, and apply reverts it', async () => {
    const { toolkit, root, document, bob, eve, user, apply, planned } = await openFixture()
    await apply(document)
    const team = await toolkit.teams.getByName(root, 'lab')
    const [other, [limit]] = [await user(), await toolkit.limits.list(root, { subject: 'address' })]

    await toolkit.teams.setRole(root, team.id, { userId: eve.id, role: 'admin' })
    await toolkit.teams.removeMember(root, team.id, bob.id)
    await toolkit.teams.update(root, team.id, { status: 2, group: 'default' })
    if (limit) await toolkit.limits.remove(root, limit.id)
    const subject = { subject: 'user', subject_id: '*', measure: 'requests', period: 'minute' } as const
    await toolkit.limits.set(root, [{ ...subject, amount: 61, action: 'queue', wait_seconds: 3 }])
    const { items: keys } = await toolkit.managementKeys.list(root, { everybody: true })
    await toolkit.managementKeys.revoke(root, keys.find(({ name }) => name === 'nightly')?.id ?? 0)
    await toolkit.managementKeys.create(other, { name: 'by hand', scopes: ['logs:read'] })

    const drift = [
      'update teams.lab group',
      `update teams.lab members.${bob.username}`,
      `update teams.lab members.${eve.username}`,
      'update limits.user * requests per minute amount',
      'update limits.user * requests per minute action',
      'update limits.user * requests per minute wait_seconds',
      'create limits.address 203.0.113.7 requests per hour',
      `create management_keys.${document.management_keys[0]?.user}/nightly`,
    ]
    expect(new Set(await planned(document))).toEqual(new Set(drift))
    expect(new Set(await planned(document, true))).toEqual(
      new Set([...drift, 'update teams.lab enabled', `delete management_keys.${other.username}/by hand`]),
    )
    // A revoked key cannot come back with its text, which may have leaked.
    await expect(apply(document)).rejects.toMatchObject({ code: 'MANAGEMENT_KEY_USED' })
    expect(new Set(await planned(document))).toEqual(new Set(drift))
    Object.assign(document.management_keys[0] ?? {}, { key: drawn() })
    await apply(document, true)
    expect(await planned(document, true)).toEqual([])
  })

  test('a channel in an unknown group is rejected, and pruning a group counts its users', async () => {
    const { toolkit, root, ann, document, plan, apply } = await openFixture()
    const channel = { type: 'openai', key: 'sk-x', models: ['gpt-4o'] }
    for (const groups of [['nope'], ['default', 'nope']])
      await expect(plan({ version: 1, channels: { a: { ...channel, groups } } })).rejects.toMatchObject({
        params: { reason: 'channels.a: there is no group nope' },
      })
    await apply(document)
    await toolkit.accounts.update(root, { id: ann.id, group: 'vip' })
    await toolkit.db.transaction((trx) => trx('tokens').where({ user_id: ann.id }).update({ group: 'vip' }))
    const { partner, svip, vip: _, ...groups } = document.groups
    const uses = async (wanted: ConfigurationDocument) =>
      (await plan(wanted, true)).changes.map(({ name, in_use }) => [name, in_use])
    expect(await uses({ version: 1, groups: { ...groups, partner, svip } as typeof groups })).toEqual([
      ['vip', { users: 1, teams: 0, tokens: 1 }],
    ])
    const withoutPartner = { ...groups, svip, vip: { ratio: 2 } } as typeof groups
    expect(await uses({ version: 1, groups: withoutPartner })).toEqual([['partner', { users: 0, teams: 1, tokens: 0 }]])
    const moved = { lab: { ...document.teams.lab, group: 'svip' } }
    expect(await uses({ version: 1, groups: withoutPartner, teams: moved })).toEqual(
      expect.arrayContaining([['partner', { users: 0, teams: 0, tokens: 0 }]]),
    )
  })

  test('a plan is valid for its document only, also without changes', async () => {
    const { document, plan, apply, toolkit, root } = await openFixture()
    await apply(document)
    const empty = await plan(document)
    const reordered = Object.fromEntries(Object.entries(document).reverse()) as typeof document
    expect(await toolkit.configuration.apply(root, { document: reordered, plan: empty })).toEqual(empty)
    await expect(
      toolkit.configuration.apply(root, { document: { version: 1, options: {} }, plan: empty }),
    ).rejects.toMatchObject({ code: 'CONFIGURATION_OTHER' })
    const other = { ...document, options: { ...document.options, SystemName: 'Another' } }
    await expect(toolkit.configuration.apply(root, { document: other, plan: empty })).rejects.toMatchObject({
      code: 'CONFIGURATION_CHANGED',
    })
  })

  test('prune removes what a section does not list, and keeps missing sections', async () => {
    const { toolkit, root, document, ann, eve, apply, planned, charge } = await openFixture()
    await apply(document)
    const team = await toolkit.teams.getByName(root, 'lab')
    await toolkit.accounts.setQuota(root, ann.id, 500)
    await toolkit.teams.transfer(ann, team.id, 300)

    // What a process has set aside for requests is given back while apply waits.
    await charge({ ...ann, id: team.id }, { quota: 50 })
    expect(await planned({ version: 1, limits: [] })).toEqual([])
    expect(await planned({ version: 1, limits: [] }, true)).toHaveLength(9)
    const members = { ...document.teams.lab?.members }
    delete members[eve.username]
    const without = { version: 1 as const, teams: { lab: { ...document.teams.lab, members } } }
    expect(await planned(without)).toEqual([])
    expect(await planned(without, true)).toEqual([`update teams.lab members.${eve.username}`])
    await apply(without, true)
    expect(await toolkit.teams.get(root, team.id)).toMatchObject({ members: 2 })

    await apply({ version: 1, teams: {}, limits: [], management_keys: [] }, true)
    expect((await toolkit.teams.list(root)).total).toBe(0)
    expect(await toolkit.limits.list(root)).toEqual([])
    expect((await toolkit.managementKeys.list(root, { everybody: true })).items).toEqual([
      expect.objectContaining({ revoked_at: expect.any(Number) }),
      expect.objectContaining({ revoked_at: expect.any(Number) }),
    ])
    expect((await toolkit.channels.list(root)).total).toBe(1)
    // As `team delete` does.
    expect((await toolkit.accounts.get(root, ann.id)).quota).toBe(450)
    expect(await toolkit.ledger.verify()).toMatchObject({ differences: [] })
  })

  test('prune gives fields of channels and teams that the file does not name their default, and keeps secrets', async () => {
    const { toolkit, root, document, apply, planned } = await openFixture()
    await apply(document)
    expect(await planned(document, true)).toEqual([])
    const { items } = await toolkit.channels.list(root)
    const channel = items.find(({ name }) => name === 'openai')
    const team = await toolkit.teams.getByName(root, 'lab')
    const changes = { priority: 77, tag: 'by hand', base_url: 'http://127.0.0.1:9', model_mapping: '{"a":"b"}' }
    await toolkit.channels.update(root, channel?.id ?? 0, { ...changes, status: 2 })
    await toolkit.teams.update(root, team.id, { status: 2 })

    expect(await planned(document)).toEqual([])
    const fields = ['enabled', 'base_url', 'model_mapping', 'priority', 'tag']
    expect(new Set(await planned(document, true))).toEqual(
      new Set([...fields.map((field) => `update channels.openai ${field}`), 'update teams.lab enabled']),
    )
    await apply(document, true)
    expect(await planned(document, true)).toEqual([])
    expect(await toolkit.channels.get(root, channel?.id ?? 0)).toMatchObject({
      ...{ priority: 0, base_url: '', status: 1, models: 'gpt-4o' },
    })
    expect(await toolkit.teams.getByName(root, 'lab')).toMatchObject({ status: 1 })
  })

  test('names that differ only in the place of a slash are two names', async () => {
    const { toolkit, user, apply, planned } = await openFixture()
    const [one, other] = [await user({ username: 'a' }), await user({ username: 'a/b' })]
    const limits = [
      { subject: 'token', user: 'a', name: 'b/c', measure: 'concurrent', amount: 1 },
      { subject: 'token', user: 'a/b', name: 'c', measure: 'concurrent', amount: 2 },
    ] as const
    await toolkit.tokens.create(one, { name: 'b/c', unlimited_quota: true })
    await toolkit.tokens.create(other, { name: 'c', unlimited_quota: true })
    const document = { version: 1 as const, limits: [...limits] }
    await apply(document)
    expect(await planned(document, true)).toEqual([])
    expect(await planned({ version: 1, limits: [limits[0]] }, true)).toEqual(['delete limits.token "a/b"/c concurrent'])
  })

  test('a team with a negative balance is not pruned, and nothing else changes', async () => {
    const { toolkit, root, document, apply } = await openFixture()
    await apply(document)
    const team = await toolkit.teams.getByName(root, 'lab')
    await toolkit.db.transaction((trx) => trx('users').where({ id: team.id }).update({ quota: -5 }))
    await expect(apply({ version: 1, teams: {}, options: { SystemName: 'Other' } }, true)).rejects.toMatchObject({
      code: 'TEAM_DEBT',
    })
    expect(await toolkit.teams.get(root, team.id)).toMatchObject({ quota: -5 })
    expect(toolkit.options.read(root, 'SystemName')).toBe('House')
  })

  test('a new owner is shown, and the old one becomes admin unless the file says otherwise', async () => {
    const { toolkit, root, document, ann, bob, eve, apply, planned } = await openFixture()
    await apply(document)
    const moved = { version: 1 as const, teams: { lab: { owner: bob.username } } }
    expect(new Set(await planned(moved))).toEqual(
      new Set([`update teams.lab members.${ann.username}`, `update teams.lab members.${bob.username}`]),
    )
    await apply(moved)
    expect(await planned(moved)).toEqual([])
    const { id } = await toolkit.teams.getByName(root, 'lab')
    expect(await toolkit.teams.get(root, id)).toMatchObject({ owner: bob.username, members: 3 })

    const gone = { version: 1 as const, teams: { lab: { owner: eve.username, members: {} } } }
    await apply(gone, true)
    expect(await planned(gone, true)).toEqual([])
    expect(await toolkit.teams.members(root, id)).toMatchObject([{ username: eve.username, role: 'owner' }])
  })

  test('a management key keeps its spent amount when its text, scopes and amount change', async () => {
    const { toolkit, root, document, apply, planned } = await openFixture()
    await apply(document)
    const [key] = document.management_keys
    if (!key) throw new Error('the document has keys')
    const holder = await toolkit.managementKeys.find(key.key ?? '')
    await toolkit.db.transaction((trx) =>
      trx('management_keys').where({ id: holder?.keyId }).update({ quota_used: 700 }),
    )
    const old = key.key ?? ''
    Object.assign(key, {
      key: drawn(),
      scopes: ['codes:read'],
      quota_max: 900,
      expires_at: '2099-05-01T10:00:00+02:00',
    })
    expect(await planned(document)).toHaveLength(4)
    await apply(document)

    expect(await planned(document)).toEqual([])
    expect(await toolkit.managementKeys.find(old)).toBeUndefined()
    expect(await toolkit.managementKeys.find(key.key ?? '')).toMatchObject({
      keyId: holder?.keyId,
      scopes: ['codes:read'],
    })
    const { items } = await toolkit.managementKeys.list(root, { everybody: true })
    expect(items.find(({ id }) => id === holder?.keyId)).toMatchObject({ quota_max: 900, quota_used: 700 })
    expect(await toolkit.audit.list(root, { action: 'api-key.update' })).toMatchObject([
      { object: `api-key:${holder?.keyId}` },
    ])
  })

  test('of two plans applied concurrently, one succeeds; an edited plan changes nothing', async () => {
    const { toolkit, root, document, plan, another } = await openFixture()
    const [first, second] = [await plan(document), await plan(document)]
    const { configuration } = await another()
    const results = await Promise.allSettled([
      toolkit.configuration.apply(root, { document, plan: first }),
      configuration.apply(root, { document, plan: second }),
    ])
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'CONFIGURATION_CHANGED' },
    })
    expect(await toolkit.limits.list(root)).toHaveLength(9)

    const edited = { version: 1 as const, options: { SystemName: 'One' } }
    const kept = await plan(edited)
    await expect(
      toolkit.configuration.apply(root, { document: { ...edited, options: { SystemName: 'Two' } }, plan: kept }),
    ).rejects.toMatchObject({ code: 'CONFIGURATION_CHANGED' })
    // The other process may have applied it: this one follows.
    await expect.poll(() => toolkit.options.read(root, 'SystemName')).toBe('House')
  })

  test('a manual change between plan and apply rejects the plan, in each section', async () => {
    const { toolkit, root, document, bob, plan, apply } = await openFixture()
    await apply(document)
    const team = await toolkit.teams.getByName(root, 'lab')
    const { items } = await toolkit.managementKeys.list(root, { everybody: true })
    const by = { version: 1 as const }
    const cases: [ConfigurationDocument, () => Promise<unknown>][] = [
      [
        { ...by, teams: { lab: { group: 'default' } } },
        () => toolkit.teams.setRole(root, team.id, { userId: bob.id, role: 'member' }),
      ],
      [
        { ...by, limits: [{ subject: 'user', name: '*', measure: 'requests', period: 'minute', amount: 10 }] },
        () =>
          toolkit.limits.set(root, [
            { subject: 'user', subject_id: '*', measure: 'requests', period: 'minute', amount: 11 },
          ]),
      ],
      [
        { ...by, management_keys: [{ user: 'root', name: 'ci', scopes: ['logs:read'] }] },
        () => toolkit.managementKeys.revoke(root, items.find(({ name }) => name === 'ci')?.id ?? 0),
      ],
    ]
    for (const [wanted, change] of cases) {
      const before = await plan(wanted).catch((error: unknown) => error)
      expect(before).toMatchObject({ changes: [{ action: 'update' }] })
      await change()
      await expect(
        toolkit.configuration.apply(root, { document: wanted, plan: before as Awaited<ReturnType<typeof plan>> }),
      ).rejects.toMatchObject({ kind: expect.stringMatching(/conflict|invalid/) })
    }
    expect(await toolkit.teams.get(root, team.id)).toMatchObject({ group: 'partner' })
  })
})
