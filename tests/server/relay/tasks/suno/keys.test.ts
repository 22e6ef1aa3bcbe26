import { pino } from 'pino'
import { expect, test } from 'vitest'
import { musicPoll } from '../../../../../server/relay/tasks/suno/poll.ts'
import { createOutboundClients } from '../../../../../server/relay/transport/outbound-clients.ts'
import { charges, otherOf } from '../../../../support/books.ts'
import { post } from '../../../../support/chat.ts'
import { customer, openTestGateway } from '../../../../support/gateway.ts'
import { whenDone } from '../../../../support/lifetime.ts'
import { startSunoServer } from '../../../../support/suno-server.ts'

const KEYS = ['first-key-0123456789', 'second-key-0123456789']

test('tasks of a channel with several keys are continued and polled with the key that started them', async () => {
  const server = await startSunoServer()
  const fixture = await openTestGateway()
  const { toolkit, root, url } = fixture
  const setting = JSON.stringify({ multi_key_mode: 'polling' })
  const channel = { type: 36, models: 'suno_music', base_url: server.url, key: KEYS.join('\n'), setting }
  const { id } = await fixture.channel(channel)
  const { key } = await customer(fixture)
  const submit = async (body: object) => (await post({ url, key, path: '/suno/submit/music', body })).json.data
  const usedBy = (from: number) => server.seen.slice(from).map(({ headers }) => headers.authorization?.slice(7))

  const ids = [await submit({ prompt: 'a' }), await submit({ prompt: 'b' })]
  for (const task_id of [ids[0], ids[0], ids[1]]) await submit({ continue_clip_id: 'c', task_id, prompt: 'more' })

  expect(usedBy(0)).toEqual([KEYS[0], KEYS[1], KEYS[0], KEYS[0], KEYS[1]])
  const log = (await charges(fixture)).at(-1)
  expect(otherOf(log as never).admin_info).toMatchObject({ key: { index: 2 } })

  const links = createOutboundClients({
    idleTimeoutMs: 5000,
    media: { bytesMax: 1, allowHosts: [] },
    options: toolkit.options,
  })
  whenDone(() => links.close())
  const directory = await toolkit.channelDirectory()
  const poll = musicPoll({ toolkit, directory, links, logger: pino({ level: 'silent' }) })
  const round = async () => {
    const from = server.seen.length
    await poll.run(new AbortController().signal)
    return usedBy(from).map((used, at) => [used, server.requests.slice(from - server.seen.length)[at]])
  }
  expect((await round()).sort()).toEqual([
    [KEYS[0], ['task-1', 'task-3', 'task-4']],
    [KEYS[1], ['task-2', 'task-5']],
  ])
  // Whose key is gone is asked for with another: better than not at all.
  await toolkit.channels.update(root, id, { key: KEYS[1] as string })
  await expect.poll(() => directory.find(id)?.ring?.all.length).toBe(1)
  expect((await round()).map(([used]) => used)).toEqual([KEYS[1], KEYS[1]])
})
