import { expect, test } from 'vitest'
import { ApiError } from '../../../../console/api/client.ts'
import { saveOptions } from '../../../../console/pages/settings/options/save-options.ts'

const needs = { keys: ['GitHubClientId'], problem: () => 'first its id' } as const
const enabling = { field: { key: 'GitHubOAuthEnabled', kind: 'switch', needs }, text: 'true' } as const
const id = { field: { key: 'GitHubClientId', kind: 'text' }, text: 'abc' } as const
const address = { field: { key: 'ServerAddress', kind: 'address' }, text: 'x' } as const

test('what a switch rests on is saved before it', async () => {
  const keys: string[] = []

  await saveOptions([enabling, id], async ({ key }) => void keys.push(key))

  expect(keys).toEqual(['GitHubClientId', 'GitHubOAuthEnabled'])
})

test('one that is refused does not keep the others back', async () => {
  const result = await saveOptions([address, id], async ({ key }) => {
    if (key === 'ServerAddress') throw new ApiError('refused', 'no address')
  })

  expect(result).toEqual({ saved: [id], refused: new Map([['ServerAddress', 'no address']]), broken: undefined })
})

test('a server that does not answer is not asked for the rest', async () => {
  const silent = new ApiError('unreachable')
  const asked: string[] = []

  const result = await saveOptions([id, address], async ({ key }) => {
    asked.push(key)
    throw silent
  })

  expect(asked).toEqual(['GitHubClientId'])
  expect(result).toMatchObject({ saved: [], broken: silent })
})
