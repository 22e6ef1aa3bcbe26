import { expect, test } from 'vitest'
import { createWorld } from './support.ts'

test('option set stores, option get prints the bare value', async () => {
  const world = await createWorld()
  expect(await world.run(['option', 'set', 'RetryTimes', '3'])).toEqual({
    stdout: '',
    stderr: 'RetryTimes is now 3',
    exitCode: 0,
  })
  expect((await world.run(['option', 'get', 'RetryTimes'])).stdout).toBe('3')
  expect(await world.json('option', 'get', 'RetryTimes')).toEqual({ key: 'RetryTimes', value: '3' })
})

test('option set reads a long value from stdin', async () => {
  const world = await createWorld()
  await world.run(['option', 'set', 'Notice', '-'], { input: '# Hello\n\nworld\n' })
  expect((await world.json('option', 'get', 'Notice')).value).toBe('# Hello\n\nworld')
})

test('a secret is written, and never shown', async () => {
  const world = await createWorld()
  const { stdout, stderr } = await world.run(['option', 'set', 'SMTPToken', '-', '--json'], { input: 'hidden-word' })
  expect(stdout + stderr).not.toContain('hidden-word')
  expect((await world.run(['option', 'get', 'SMTPToken'])).exitCode).toBe(4)
  expect((await world.run(['option', 'list'])).stdout).not.toMatch(/SMTPToken|hidden-word/)
})

test.each([
  ['NoSuchOption', '1', /NoSuchOption/],
  ['RetryTimes', '1.5', /RetryTimes/],
  ['RetryTimes', '-1', /RetryTimes/],
  ['QuotaForNewUser', '1e30', /QuotaForNewUser/],
  ['ModelRatio', '{"gpt-4o":-1}', /ModelRatio/],
  ['GitHubOAuthEnabled', 'true', /GitHubClientId/],
])('option set refuses %s %s, naming it', async (key, value, named) => {
  const world = await createWorld()
  const { exitCode, stderr } = await world.run(['option', 'set', key, value])
  expect(exitCode).toBe(2)
  expect(stderr).toMatch(named)
})

test('option list tells key, area, description and value, by area if asked', async () => {
  const world = await createWorld()
  const rows = await world.json('option', 'list', '--area', 'quota')
  expect(rows.map(({ key }: { key: string }) => key)).toContain('QuotaForNewUser')
  expect(rows.every(({ area }: { area: string }) => area === 'quota')).toBe(true)
  expect(rows[0]).toMatchObject({ value: '0', default: '0', type: 'integer', description: expect.stringMatching(/./) })
  expect((await world.run(['option', 'list', '--area', 'nowhere'])).exitCode).toBe(2)
})
