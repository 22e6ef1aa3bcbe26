import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createWorld } from '../support.ts'

test('export writes a folder, or a database of new-api, and prints the counts', async () => {
  const { run, json, folder } = await createWorld()
  const { stdout, stderr, exitCode } = await run(['export', 'out'])
  expect(exitCode).toBe(0)
  expect(stdout).toMatch(/users +1 +quota \d+, used_quota 0/)
  expect(stderr).toContain('The files contain keys in clear text')
  expect(await readdir(join(folder, 'out'))).toContain('manifest.json')
  expect(await json('export', 'other', '--no-secrets')).toMatchObject({ secrets: false })

  const peer = await run(['export', '--to', 'new-api', 'one-api.db'])
  expect(peer).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('1 user must set a new password') })
  expect(existsSync(join(folder, 'one-api.db'))).toBe(true)
})

test.each([
  [['export', 'data'], 1, 'not empty'],
  [['export', '--to', 'new-api', 'data/tollgate.db'], 1, 'EEXIST'],
  [['export', '--to', 'new-api', 'x.db', '--no-secrets'], 2, 'requires the keys'],
  [['export', '--to', 'old-api', 'x.db'], 2, 'new-api'],
  [['export', 'out', '--server', 'http://127.0.0.1:9'], 2, 'needs the database itself'],
] as const)('%j is rejected with the next step', async (words, code, text) => {
  const { run, env } = await createWorld()
  const { exitCode, stderr } = await run(words, {
    env: { ...env, ...(words.join(' ').includes('--server') && { TOLLGATE_TOKEN: 'a token' }) },
  })
  expect(stderr).toContain(text)
  expect(exitCode).toBe(code)
})
