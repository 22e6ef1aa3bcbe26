import { expect, test } from 'vitest'
import { ApiError } from '../../../../console/api/client.ts'
import { saveOptions } from '../../../../console/pages/settings/options/save-options.ts'

const needs = { keys: ['GitHubClientId'], problem: () => 'first its id' } as const
const enabling = { field: { key: 'GitHubOAuthEnabled', kind: 'switch', needs }, text: 'true' } as const
const id = { field: { key: 'GitHubClientId', kind: 'text' }, text: 'abc' } as const
const address = { field: { key: 'ServerAddress', kind: 'address' }, text: 'x' } as const

test('prerequisites of a switch are saved before it', async () => {
  const keys: string[] = []

  await saveOptions([enabling, id], async ({ key }) => void keys.push(key))

  expect(keys).toEqual(['GitHubClientId', 'GitHubOAuthEnabled'])
})

test('a rejected option does not block the others', async () => {
  const result = await saveOptions([address, id], async ({ key }) => {
    if (key === 'ServerAddress') throw new ApiError('refused', 'no address')
  })

  expect(result).toEqual({
    saved: [id],
    rejected: new Map([['ServerAddress', 'no address']]),
    conflicts: new Set(),
    stopError: undefined,
  })
})

test('an unreachable server gets no further options', async () => {
  const silent = new ApiError('unreachable')
  const requests: string[] = []

  const result = await saveOptions([id, address], async ({ key }) => {
    requests.push(key)
    throw silent
  })

  expect(requests).toEqual(['GitHubClientId'])
  expect(result).toMatchObject({ saved: [], stopError: silent })
})

test('an option changed in another tab is distinguished from an invalid one', async () => {
  const sent: unknown[] = []
  const changed = new ApiError('refused', 'changed', {}, 'OPTION_CHANGED')

  const { saved, conflicts } = await saveOptions([{ ...id, previous: 'before' }], async (body) => {
    sent.push(body)
    throw changed
  })

  expect(sent).toEqual([{ key: 'GitHubClientId', value: 'abc', was: 'before' }])
  expect({ saved, conflicts }).toEqual({ saved: [], conflicts: new Set(['GitHubClientId']) })
})
