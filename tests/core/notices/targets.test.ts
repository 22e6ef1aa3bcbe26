import { describe, expect, test } from 'vitest'
import type { NewNoticeTarget } from '../../../core/notices/schema.ts'
import { openTestToolkit } from '../../support/toolkit.ts'

const SECRET = 'a secret of sixteen or more'
const WEBHOOK: NewNoticeTarget = {
  kind: 'webhook',
  name: 'hook',
  settings: { url: 'https://hooks.example.com/in/private-path', secret: SECRET },
  events: ['payment.completed'],
}

describe('notice targets', () => {
  test.each<[string, Partial<NewNoticeTarget>, string]>([
    ['no secret', { settings: { url: 'https://a.example' } }, 'FIELD_REQUIRED'],
    ['a short secret', { settings: { url: 'https://a.example', secret: 'short' } }, 'FIELD_LENGTH'],
    ['no address', { settings: { secret: SECRET } }, 'FIELD_REQUIRED'],
    ['another scheme', { settings: { url: 'file:///etc/passwd', secret: SECRET } }, 'NOTICE_URL'],
    ['a password in the address', { settings: { url: 'https://a:b@a.example', secret: SECRET } }, 'NOTICE_URL'],
    ['a setting of another kind', { settings: { ...WEBHOOK.settings, chat_id: '1' } }, 'NOTICE_SETTING'],
    [
      'a bot token that is a path',
      { kind: 'telegram', settings: { bot_token: '1:../x', chat_id: '1' } },
      'NOTICE_BOT_TOKEN',
    ],
    ['a mail to another address', { kind: 'mail', settings: { address: 'a@b.example' } }, 'NOTICE_MAIL_ADDRESS'],
    ['no name', { name: ' ' }, 'FIELD_REQUIRED'],
    ['an event of the gateway', { events: ['channel.disabled'] }, 'FIELD_CHOICE'],
    ['an unknown event', { events: ['x' as never] }, 'FIELD_CHOICE'],
    ['one of the gateway', { gateway: true }, 'PERMISSION_DENIED'],
  ])('of a user are rejected with %s', async (_, changes, code) => {
    const { toolkit, user } = await openTestToolkit()
    const create = toolkit.notices.targets.create(await user(), { ...WEBHOOK, ...changes })
    await expect(create).rejects.toMatchObject({ code })
  })

  test('never show a secret, in the list or the audit, and are stored encrypted', async () => {
    const { toolkit, root } = await openTestToolkit()
    const { targets } = toolkit.notices
    const made = await targets.create(root, { ...WEBHOOK, gateway: true })
    await targets.update(root, made.id, { settings: { secret: `${SECRET} changed` }, name: 'other' })
    expect(made).toMatchObject({ address: 'hooks.example.com', user_id: null })
    const audit = await toolkit.audit.list(root, { action: 'notice' })
    expect(audit.map(({ action }) => action)).toEqual(['notice.update', 'notice.create'])
    const rows = await toolkit.db.reader('notice_targets').select()
    const all = JSON.stringify([await targets.list(root, { gateway: true }), audit, rows])
    for (const secret of [SECRET, 'private-path']) expect(all).not.toContain(secret)
    expect(audit[0]?.before?.settings).not.toEqual(audit[0]?.after?.settings)
  })

  test('of another user and of the gateway are not found', async () => {
    const { toolkit, root, user } = await openTestToolkit()
    const { targets, deliveries } = toolkit.notices
    const [owner, other] = [await user(), await user()]
    const own = await targets.create(owner, WEBHOOK)
    const gateway = await targets.create(root, { ...WEBHOOK, gateway: true })
    for (const { id } of [own, gateway]) {
      const missing = { code: 'NOTICE_TARGET_NOT_FOUND' }
      await expect(targets.update(other, id, { name: 'x' })).rejects.toMatchObject(missing)
      await expect(targets.delete(other, id)).rejects.toMatchObject(missing)
      await expect(deliveries.beginTest(other, id)).rejects.toMatchObject(missing)
    }
    await expect(targets.delete(root, own.id)).rejects.toMatchObject({ code: 'NOTICE_TARGET_NOT_FOUND' })
    await expect(targets.list(other, { gateway: true })).rejects.toMatchObject({ code: 'PERMISSION_DENIED' })
    await expect(deliveries.list(other, { gateway: true })).rejects.toMatchObject({ code: 'PERMISSION_DENIED' })
    expect(await targets.list(other)).toEqual([])
    const id = await deliveries.beginTest(owner, own.id)
    await expect(deliveries.retry(other, id)).rejects.toMatchObject({ code: 'NOTICE_DELIVERY_NOT_FOUND' })
    expect(await deliveries.list(other)).toEqual([])
    expect(await deliveries.list(owner)).toMatchObject([{ id, event: 'test' }])
  })

  test('of the gateway are read and toggled by administrators; only root changes their settings and count', async () => {
    const { toolkit, root, user } = await openTestToolkit()
    const { targets } = toolkit.notices
    const admin = await user({ role: 10 })
    const { id } = await targets.create(root, { ...WEBHOOK, gateway: true })
    const denied = { code: 'PERMISSION_DENIED' }
    await expect(targets.create(admin, { ...WEBHOOK, gateway: true })).rejects.toMatchObject(denied)
    await expect(targets.update(admin, id, { settings: { secret: SECRET } })).rejects.toMatchObject(denied)
    await expect(targets.delete(admin, id)).rejects.toMatchObject(denied)
    expect(await targets.update(admin, id, { enabled: false })).toMatchObject({ enabled: false })
    expect(await targets.list(admin, { gateway: true })).toMatchObject([{ id }])
    expect(await targets.list(admin)).toEqual([])
  })

  test('are limited to twenty per owner', async () => {
    const { toolkit, user } = await openTestToolkit()
    const owner = await user()
    const results = await Promise.allSettled(
      Array.from({ length: 23 }, () => toolkit.notices.targets.create(owner, WEBHOOK)),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(20)
  })
})
