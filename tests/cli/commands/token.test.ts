import { describe, expect, test } from 'vitest'
import { shared } from '../../support/lifetime.ts'
import { BACKINGS, openBacking } from '../backings.ts'

describe.each(BACKINGS)('token, on a %s', (kind) => {
  const world = shared(() => openBacking(kind))

  test('create prints nothing but the key, which list shows masked and get shows when asked', async () => {
    const { stdout, stderr, exitCode } = await world().run(['token', 'create', 'app'])
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: 'Created token 1, app. Its key:' })
    expect(stdout).toMatch(/^sk-\w{48}$/)
    const { items } = await world().json('token', 'list', '--search', 'app')
    expect(items).toMatchObject([{ id: 1, name: 'app', key: `${stdout.slice(0, 7)}********${stdout.slice(-4)}` }])
    expect(await world().json('token', 'get', '1', '--show-key')).toMatchObject({ key: stdout })
  })

  test('a name that is taken is a conflict, an unknown token is not found, with the same words', async () => {
    await world().json('token', 'create', 'taken')
    expect(await world().run(['token', 'create', 'taken'])).toEqual({
      stdout: '',
      stderr: 'error: You already have a token named taken. Choose another name, or delete that one first',
      exitCode: 5,
    })
    const { stderr, exitCode } = await world().run(['token', 'get', '999', '--json'])
    expect(exitCode).toBe(3)
    expect(JSON.parse(stderr)).toEqual({
      error: { code: 'TOKEN_NOT_FOUND', message: 'Token 999 does not exist', id: 999 },
    })
  })
})
