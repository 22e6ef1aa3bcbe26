import { expect, test } from 'vitest'
import { createWorld } from './support.ts'

test('user create makes a user with role, balance and group', async () => {
  const world = await createWorld()
  const flags = ['--password', 'password1', '--role', 'admin', '--quota', '1000000000000', '--group', 'vip']
  expect(await world.json('user', 'create', 'ann', '--display-name', 'Ann', ...flags)).toMatchObject({
    username: 'ann',
    display_name: 'Ann',
    password: '',
    role: 10,
    quota: 1_000_000_000_000,
    group: 'vip',
  })
  await world.inside((toolkit) => toolkit.accounts.login({ username: 'ann', password: 'password1' }))
})

test('user create generates a password, prints it alone on stdout, and it signs in', async () => {
  const world = await createWorld()
  const { stdout, stderr } = await world.run(['user', 'create', 'ann'])
  expect(stderr).toBe('Created user 2, ann. The password, shown only now:')
  await world.inside((toolkit) => toolkit.accounts.login({ username: 'ann', password: stdout }))
  const { password } = await world.json('user', 'create', 'bob')
  await world.inside((toolkit) => toolkit.accounts.login({ username: 'bob', password }))
})

test('user create reads a password from stdin', async () => {
  const world = await createWorld()
  await world.run(['user', 'create', 'ann', '--password-stdin'], { input: 'from-stdin\n' })
  await world.inside((toolkit) => toolkit.accounts.login({ username: 'ann', password: 'from-stdin' }))
})

test.each([
  [['ann', '--password', 'short'], 2, /password/],
  [['a-name-that-is-too-long'], 2, /username/],
  [['ann', '--quota', '-1'], 2, /--quota/],
  [['ann', '--role', 'root'], 2, /--role/],
  [['root'], 5, /root is taken/],
])('user create refuses %j with exit %i', async (words, expected, named) => {
  const world = await createWorld()
  const { stdout, stderr, exitCode } = await world.run(['user', 'create', ...words])
  expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: expected })
  expect(stderr).toMatch(named)
})

test('user list searches and shows roles and balances in words', async () => {
  const world = await createWorld()
  await world.run(['user', 'create', 'ann', '--quota', '750000'])
  const { stdout } = await world.run(['user', 'list', '--search', 'ann'])
  expect(stdout.split('\n')).toHaveLength(2)
  expect(stdout).toMatch(/ann +ann +common +enabled +default +750000 \(\$1\.50\)/)
})
