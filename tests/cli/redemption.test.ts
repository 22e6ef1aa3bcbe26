import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createWorld } from './support.ts'

test('redemption create prints one code a line, more than one core call makes', async () => {
  const world = await createWorld()
  const { stdout } = await world.run(['redemption', 'create', '--name', 'spring', '--quota', '500', '--count', '150'])
  const codes = stdout.split('\n')
  expect(new Set(codes).size).toBe(150)
  for (const code of codes) expect(code).toMatch(/^[0-9a-f]{32}$/)
  expect((await world.json('redemption', 'list')).total).toBe(150)
})

test('redemption create answers an array to programs, and a code is worth what was asked', async () => {
  const world = await createWorld()
  const [code] = await world.json('redemption', 'create', '--quota', '250000')
  expect(await world.inside(({ redemption }, root) => redemption.redeem(root, code))).toBe(250_000)
  const { stdout } = await world.run(['redemption', 'list', '--status', 'used'])
  expect(stdout).toMatch(new RegExp(`\\$0\\.50 +${code} +used +250000 \\(\\$0\\.50\\)`))
})

test('redemption create --output writes a new file for its owner only, and never over another', async () => {
  const world = await createWorld()
  const file = join(world.folder, 'codes.txt')
  const create = ['redemption', 'create', '--name', 'spring', '--quota', '500', '--count', '3', '--output', file]
  expect(await world.run(create)).toMatchObject({ exitCode: 0, stdout: '' })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const before = readFileSync(file, 'utf8')
  expect(before.trim().split('\n')).toHaveLength(3)
  expect(await world.run(create)).toMatchObject({ exitCode: 5, stderr: expect.stringContaining(file) })
  expect(readFileSync(file, 'utf8')).toBe(before)
  expect((await world.json('redemption', 'list')).total).toBe(3)
})

test.each([
  [['--quota', '0'], /--quota/],
  [['--quota', '0.5'], /--quota/],
  [['--count', '1e30'], /--count/],
  [['--count', '0'], /--count/],
  [['--name', 'a name of more than twenty characters'], /name/],
  [['--status', 'x'], /unknown option/],
])('redemption create refuses %j and leaves no file', async (flags, named) => {
  const world = await createWorld()
  const file = join(world.folder, 'codes.txt')
  const { exitCode, stderr } = await world.run(['redemption', 'create', '--output', file, ...flags])
  expect(exitCode).toBe(2)
  expect(stderr).toMatch(named)
  expect(existsSync(file)).toBe(false)
})
