import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { ROLE } from '../../core/actor.ts'
import type { ConfigurationDocument } from '../../core/configuration/schema.ts'
import { onBoth } from '../support/toolkit.ts'

/** A management key as an operator draws it. */
const drawn = () => `tgm_${randomBytes(32).toString('hex')}`

onBoth('a configuration that a management key applies', (open) => {
  async function openFixture(fields: { scopes: string[]; quota_max?: number; expires_at?: number }) {
    const fixture = await open()
    const { toolkit, root } = fixture
    const { id } = await toolkit.managementKeys.create(root, { name: 'ci', ...fields })
    const actor = { ...root, keyId: id }
    const apply = async (key: object) => {
      const document = {
        version: 1,
        management_keys: [{ user: 'root', name: 'new', key: drawn(), ...key }],
      } as ConfigurationDocument
      return toolkit.configuration.apply(actor, {
        document,
        plan: await toolkit.configuration.plan(actor, { document }),
      })
    }
    return { ...fixture, actor, id, apply }
  }

  test.each([
    [{ scopes: ['codes:create'] }, { scopes: ['codes:delete'] }, 'codes:delete'],
    [{ scopes: ['codes:create'] }, { scopes: ['codes:*'] }, 'codes:*'],
    [{ scopes: ['codes:create'] }, { user: 'ann', scopes: ['codes:create'] }, 'user'],
    [{ scopes: ['*:*'] }, { scopes: ['configuration:update'] }, 'configuration:update'],
    [{ scopes: ['codes:*'], expires_at: 4e9 }, { scopes: ['codes:read'] }, 'expires_at'],
    [{ scopes: ['codes:*'], quota_max: 10 }, { scopes: ['codes:read'] }, 'quota_max'],
  ])('a key with %j cannot grant %j', async (own, wanted, what) => {
    const { toolkit, root, user, apply } = await openFixture(own)
    await user({ username: 'ann' })
    await expect(apply(wanted)).rejects.toMatchObject({ code: 'KEY_GRANTS_MORE', params: { what } })
    expect((await toolkit.managementKeys.list(root)).total).toBe(1)
  })

  test('the quota that a key grants counts as spent by the key', async () => {
    const { toolkit, root, id, apply } = await openFixture({ scopes: ['codes:*'], quota_max: 100 })
    await apply({ scopes: ['codes:create'], quota_max: 60 })
    await expect(apply({ name: 'second', scopes: ['codes:create'], quota_max: 60 })).rejects.toMatchObject({
      code: 'KEY_AMOUNT_EXCEEDED',
    })
    const { items } = await toolkit.managementKeys.list(root)
    expect(items.find((key) => key.id === id)).toMatchObject({ quota_used: 60 })
  })

  test('a key cannot take over another key by changing its text', async () => {
    const { toolkit, root, apply } = await openFixture({ scopes: ['codes:*'], quota_max: 100 })
    await toolkit.managementKeys.create(root, { name: 'rich', scopes: ['codes:create'], quota_max: 5000 })
    await expect(apply({ name: 'rich', scopes: ['codes:create'], quota_max: 5000 })).rejects.toMatchObject({
      code: 'KEY_AMOUNT_EXCEEDED',
    })
  })

  test('the balance of a team that a key deletes counts as spent by the key', async () => {
    const { toolkit, root, actor, user } = await openFixture({ scopes: ['configuration:*'], quota_max: 100 })
    const ann = await user({ quota: 500, role: ROLE.common })
    const team = await toolkit.teams.create(ann, { name: 'lab' })
    await toolkit.teams.transfer(ann, team.id, 300)
    const request = { document: { version: 1 as const, teams: {} }, prune: true }
    const plan = await toolkit.configuration.plan(actor, request)
    await expect(toolkit.configuration.apply(actor, { ...request, plan })).rejects.toMatchObject({
      code: 'KEY_AMOUNT_EXCEEDED',
    })
    await toolkit.configuration.apply(root, { ...request, plan })
    expect((await toolkit.accounts.get(root, ann.id)).quota).toBe(500)
  })
})
