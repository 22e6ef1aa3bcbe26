import { expect, test } from 'vitest'
import { OPTIONS } from '../../core/options/registry.ts'
import { onBoth } from '../support/toolkit.ts'

onBoth('options', (open) => {
  test('have their default until they are set, and apply immediately afterwards', async () => {
    const { toolkit, root, another } = await open()
    const { options } = toolkit
    expect(options.get(OPTIONS.RetryTimes)).toBe(0)
    const { version } = options

    await options.set(root, 'RetryTimes', '3')

    expect(options.get(OPTIONS.RetryTimes)).toBe(3)
    expect(options.read(root, 'RetryTimes')).toBe('3')
    expect(options.list(root)).toContainEqual({ key: 'RetryTimes', value: '3' })
    expect(options.version).toBeGreaterThan(version)
    expect((await another()).options.get(OPTIONS.RetryTimes)).toBe(3)
  })

  test('changed by several processes after the same read are changed by one of them', async () => {
    const { toolkit, root, another } = await open()
    const processes = [toolkit, await another(), await another()]
    const changes = (value: string) => [
      { key: 'RetryTimes', value, was: '0' },
      { key: 'MinTopUp', value },
    ]

    const outcomes = await Promise.allSettled(
      processes.map(({ options }, at) => options.change(root, changes(String(at + 1)))),
    )

    const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
    expect(refused.map(({ reason }) => reason.code)).toEqual(['OPTION_CHANGED', 'OPTION_CHANGED'])
    const winner = String(outcomes.findIndex(({ status }) => status === 'fulfilled') + 1)
    const { options } = await another()
    expect([options.read(root, 'RetryTimes'), options.read(root, 'MinTopUp')]).toEqual([winner, winner])
  })

  test('that are secret are never listed or read, and are encrypted in the database', async () => {
    const { toolkit, root, another } = await open()
    await toolkit.options.set(root, 'SMTPToken', 'hunter2hunter2')

    expect(toolkit.options.list(root).map(({ key }) => key)).not.toContain('SMTPToken')
    expect(() => toolkit.options.read(root, 'SMTPToken')).toThrow('OPTION_SECRET')
    expect(JSON.stringify(toolkit.options.list(root))).not.toContain('hunter2')
    const [row] = await toolkit.db.reader('options').where({ key: 'SMTPToken' })
    expect(row.value).toMatch(/^v1:/)
    expect(Buffer.from(row.value.slice(3), 'base64').toString('latin1')).not.toContain('hunter2')
    expect((await another()).options.get(OPTIONS.SMTPToken)).toBe('hunter2hunter2')
  })

  test('set by another process apply within a second', { retry: 2 }, async () => {
    const { toolkit, root, another } = await open()
    const other = await another()
    await other.events.follow()

    await toolkit.options.set(root, 'RetryTimes', '3')

    await expect.poll(() => other.options.get(OPTIONS.RetryTimes), { timeout: 1000, interval: 20 }).toBe(3)
  })

  test('belong to root only', async () => {
    const { toolkit, user } = await open()
    const admin = await user({ role: 10 })

    await expect(toolkit.options.set(admin, 'RetryTimes', '3')).rejects.toMatchObject({ code: 'PERMISSION_DENIED' })
    expect(() => toolkit.options.list(admin)).toThrow('PERMISSION_DENIED')
    expect(() => toolkit.options.read(admin, 'RetryTimes')).toThrow('PERMISSION_DENIED')
    expect(toolkit.options.get(OPTIONS.RetryTimes)).toBe(0)
  })

  test('that are unknown, invalid or lack a prerequisite are rejected and change nothing', async () => {
    const { toolkit, root } = await open()
    const { options } = toolkit

    await expect(options.set(root, 'NoSuchOption', '1')).rejects.toMatchObject({ code: 'OPTION_UNKNOWN' })
    await expect(options.set(root, 'toString', '1')).rejects.toMatchObject({ code: 'OPTION_UNKNOWN' })
    expect(() => options.read(root, 'NoSuchOption')).toThrow('OPTION_UNKNOWN')
    await expect(options.set(root, 'RetryTimes', 'many')).rejects.toMatchObject({
      code: 'OPTION_INTEGER',
      params: { key: 'RetryTimes' },
    })
    await expect(options.set(root, 'GitHubOAuthEnabled', 'true')).rejects.toMatchObject({
      code: 'OPTION_GITHUB_UNCONFIGURED',
      params: { missing: 'GitHubClientId, GitHubClientSecret' },
    })
    expect(await toolkit.db.reader('options')).toEqual([])

    await options.set(root, 'GitHubClientId', 'id')
    await options.set(root, 'GitHubClientSecret', 'secret')
    await options.set(root, 'GitHubOAuthEnabled', 'true')
    expect(options.get(OPTIONS.GitHubOAuthEnabled)).toBe(true)
  })
})
