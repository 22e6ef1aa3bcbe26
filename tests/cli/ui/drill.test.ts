import { expect, test } from 'vitest'
import { writeFailures } from '../../../core/logs/failures.ts'
import { shared } from '../../support/lifetime.ts'
import { createWorld, relayed } from '../support.ts'
import { documented } from './pictures.ts'
import { KEY, openSession, type Session } from './terminal-session.ts'

const TOKENS = 20_000
const SQL_ROWS_MAX = 50

/** A gateway with a broken channel, whose last request failed, and as many tokens as a large reseller has. */
const session = shared(async () => {
  const world = await createWorld()
  await world.inside(async (toolkit, root) => {
    await toolkit.channels.create(root, { name: 'main', type: 1, key: 'sk-a', models: 'gpt-4o', priority: 10 })
    const broken = await toolkit.channels.create(root, { name: 'broken', type: 1, key: 'sk-b', models: 'gpt-4o' })
    await toolkit.channels.setStatus(root, broken.id, 2)
    for (let i = 0; i < 3; i += 1) await relayed(toolkit, { id: root.id, username: 'root' })
    await writeFailures(toolkit.db, [
      {
        requestId: 'req-broken-1',
        userId: root.id,
        username: 'root',
        tokenId: 1,
        tokenName: 'app',
        modelName: 'gpt-4o',
        channelId: broken.id,
        group: 'default',
        useTimeSeconds: 1,
        isStream: false,
        at: Math.floor(Date.now() / 1000),
        content: 'no channel could serve this request',
        status: 502,
        code: 'upstream_failed',
        tries: [{ channel: broken.id, status: 500, code: 'server_error', ms: 120, message: 'the upstream broke' }],
      },
    ])
    const first = await toolkit.tokens.create(root, { name: 'seed', remain_quota: 500_000 })
    await toolkit.db.transaction(async (trx) => {
      const { id: _, ...row } = await trx('tokens').where({ id: first.id }).first()
      const rows = Array.from({ length: TOKENS - 1 }, (_, at) => ({
        ...row,
        name: `load-${String(at).padStart(5, '0')}`,
        key_hash: `${row.key_hash}-${at}`,
      }))
      await trx.batchInsert('tokens', rows, SQL_ROWS_MAX)
    })
  })
  return { world, ...openSession(world) }
})

const press: Session['press'] = (...keys) => session().press(...keys)

test('the receipt of the last failed request of a broken channel is five keys away, also if typed quickly', async () => {
  await session().sees('── Overview')
  const keys = ['2', 'j', KEY.enter, 'x', KEY.enter]
  expect(keys).toHaveLength(5)
  await press(keys.join(''), 'Log row', 'the upstream broke', /result +502 upstream_failed/, /charged +nothing/)
  await documented('failed-request', session())
  expect(session().picture()).not.toContain('{"')
})

test('Esc goes back one level, to the previous row', async () => {
  await press(KEY.escape, 'Requests of broken · 1/1', 'type=error')
  await documented('failed-requests', session())
  await press(KEY.escape, '── Channel broken')
  await press(KEY.escape, 'Channels · 2/2')
})

test('channels can be marked, and one key changes or tags all of them', async () => {
  await press('vgv', '2 marked')
  await documented('channels-marked', session())
  await press(`T${KEY.ctrlU}night\r`, 'Channels tagged with night: 2')
  await press('V', '2 marked')
  await press(' ', 'Disabled 2 channels.')
  const { items } = await session().world.inside((toolkit, root) => toolkit.channels.list(root))
  expect(items).toMatchObject([
    { name: 'main', status: 2, tag: 'night' },
    { name: 'broken', status: 2, tag: 'night' },
  ])
})

test('the command line completes, and opens a screen with its search or filters', async () => {
  await press(':', ' :')
  await press(`to${KEY.tab}`, ':tokens')
  await press(' load-00077\r', 'Tokens · 1/1', 'search: load-00077')
  await press(':chanels\r', 'did you mean channels?')
  await press(KEY.escape)
  await session().misses(':chanels')
  await press(':errors\r', 'Logs · 1/1', 'type=error')
  await press(`:logs user=ro${KEY.tab}ot\r`, /Logs · 1\/\d/, 'user=root')
  await press(':logs since=yesterday\r', 'Expected a duration')
  await press(KEY.escape, 'user=root')
  await session().misses('Expected a duration')
})

test('a list of 20 000 scrolls over its pages, filters while typing, and sorts', async () => {
  await press(':tokens\r', '── Tokens')
  await press('c', `Tokens · 1/${TOKENS}`)
  await press(KEY.pageDown.repeat(8), /Tokens · 1[56]\d\/20000/)
  await press('G', `Tokens · ${TOKENS}/${TOKENS}`, /▌ +1 +seed/)
  await press('g', `Tokens · 1/${TOKENS}`)
  await press('/load-0123', 'load-01230', 'load-01239', 'Tokens · 1/10')
  await press(KEY.escape, `Tokens · 1/${TOKENS}`)
  await press('ss', 'NAME▲', 'load-00000')
  await press('S', 'NAME▼', 'seed')
  await press('c', 'load-19998')
  await session().misses('NAME▼')
})

test('keys pressed while rows load apply to those rows', async () => {
  await press('2', '── Channels')
  await press(`3jjj${KEY.enter}`, '── Token load-19995', /user +root/)
  await press(KEY.escape, `Tokens · 4/${TOKENS}`)
})

test("y copies a key to the terminal's clipboard", async () => {
  await press('/seed', 'Tokens · 1/1')
  await press('\r')
  await press('y', 'Copied: the key of token seed')
  const [encoded = ''] = session().output().split(']52;c;').at(-1)?.split('\u0007') ?? []
  expect(Buffer.from(encoded, 'base64').toString()).toMatch(/^sk-\w{48}$/)
})

test('requests appear as they end, also failed ones', async () => {
  await press('8', '── Live · 1/4', /error +root +gpt-4o +broken .*no channel could/)
  await documented('live', session())
  const { world } = session()
  await world.inside(async (toolkit, root) => relayed(toolkit, { id: root.id, username: 'root' }, 5_000_000))
  await session().sees('$10.00')
  await press('x', '── Live · 1/1')
  await press(KEY.enter, 'the upstream broke')
  await press(KEY.escape, '── Live · 1/1')
})

test('many resizes, down to 40 × 10, leave a complete screen', async () => {
  await press('2', '── Channels')
  for (let at = 0; at < 60; at += 1) session().resize(40 + ((at * 17) % 81), 10 + ((at * 7) % 31))
  session().resize(40, 10)
  await session().sees('── Channels', 'NAME', '? more')
  expect(session().picture().split('\n')).toHaveLength(10)
  await documented('channels-small', session())
  session().resize(120, 40)
  await session().sees('MODELS')
  await documented('channels-large', session())
})
