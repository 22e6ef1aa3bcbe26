import { expect, test } from 'vitest'
import type { Client } from '../../cli/remote/client.ts'
import { dataOf } from '../../cli/remote/guards.ts'
import { REPLIES } from '../../cli/remote/replies.ts'

const objectWith = (fields: readonly string[]) => Object.fromEntries(fields.map((field) => [field, 1]))
const TEAM = objectWith(REPLIES['GET /api/team/:id'])
const PAGE = { items: [TEAM], total: 1, page: 1, page_size: 10 }
const { id: _, ...TEAM_WITHOUT_ID } = TEAM
const GROUPS = [objectWith(REPLIES['GET /api/group/details'].list)]

test.each([
  ['GET /api/notice', '', null],
  ['DELETE /api/channel/disabled', 0, '0'],
  ['GET /api/user/models', ['a'], [1]],
  ['GET /api/user/models', [], 'a'],
  ['GET /api/models', { 1: ['a'] }, []],
  ['GET /api/team/:id', TEAM, TEAM_WITHOUT_ID],
  ['GET /api/team/:id', { ...TEAM, from_a_newer_server: 1 }, [TEAM]],
  ['GET /api/team/', PAGE, { ...PAGE, items: [TEAM, TEAM_WITHOUT_ID] }],
  ['GET /api/team/', { ...PAGE, items: [] }, { ...PAGE, total: '1' }],
  ['GET /api/group/details', GROUPS, [...GROUPS, {}]],
  ['POST /api/api-key/', objectWith(REPLIES['POST /api/api-key/']), objectWith(REPLIES['DELETE /api/api-key/:id'])],
  ['POST /api/channel/fix', 1, {}],
  ['POST /api/channel/fix', { channels: 1, repaired: 0 }, undefined],
] as const)('%s: %j is a reply, %j is not', (name, reply, other) => {
  expect([dataOf(name)(reply), dataOf(name)(other)]).toEqual([true, false])
})

/** Only compiled: calls that the API does not describe are errors. */
export async function undescribed(client: Client): Promise<unknown[]> {
  return await Promise.all([
    // @ts-expect-error an unknown path
    client.call('GET /api/unknown'),
    // @ts-expect-error a missing path parameter
    client.read('GET /api/team/:id'),
    // @ts-expect-error another path parameter
    client.read('GET /api/team/:id', { path: { team_id: 1 } }),
    // @ts-expect-error an unknown query parameter
    client.read('GET /api/team/', { query: { pageSize: 1 } }),
    // @ts-expect-error a field of the wrong type
    client.read('POST /api/team/join', { body: { code: 1 } }),
    // @ts-expect-error a reply without data
    client.read('GET /api/status/test'),
  ])
}
