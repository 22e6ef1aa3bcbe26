import { describe, expect, test } from 'vitest'
import type { NewChannel } from '../../../core/channels/channel.ts'
import { SIMULATED_MODELS, startSimulatedUpstream } from '../../../server/demo/upstream.ts'
import { startUpstream } from '../../support/hand-made-upstream.ts'
import { shared, whenDone } from '../../support/lifetime.ts'
import { BACKINGS, openBacking } from '../backings.ts'
import { interrupted } from '../interrupted.ts'
import { CHANNEL } from '../support.ts'

describe.each(BACKINGS)('channel checks, on a %s', (kind) => {
  const world = shared(async () => {
    const upstream = await startSimulatedUpstream()
    whenDone(() => upstream.close())
    return { ...(await openBacking(kind)), upstream: upstream.url }
  })
  const channel = (name: string, fields: Partial<NewChannel> = {}) =>
    world().inside(({ channels }, root) =>
      channels.create(root, { ...CHANNEL, name, base_url: world().upstream, ...fields }),
    )

  test('test sends a request through one channel and prints the result', async () => {
    const { id } = await channel('one', { models: 'gpt-4o,sim-fail' })
    const good = await world().run(['channel', 'test', String(id)])
    expect(good).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^ok {6}gpt-4o replied in \d\.\d\d s$/) })
    const bad = await world().run(['channel', 'test', String(id), '--model', 'sim-fail', '--json'])
    expect(bad.exitCode).toBe(1)
    expect(JSON.parse(bad.stdout)).toEqual({
      success: false,
      model: 'sim-fail',
      time: expect.any(Number),
      message: expect.stringContaining('status code 500'),
    })
    expect((await world().run(['channel', 'test', '99999'])).exitCode).toBe(3)
    const words = [
      ['test'],
      ['test', '1', '--all'],
      ['test', '1', '--detach'],
      ['test', '--all', '--key', 'x'],
      ['balance'],
    ]
    for (const each of words) expect((await world().run(['channel', ...each])).exitCode).toBe(2)
  })

  test('test of several channels ends with a table, and exit code 1 if one failed; channels that cannot be tested are not failures', async () => {
    const good = await channel('good', { models: 'gpt-4o' })
    const bad = await channel('bad', { models: 'sim-fail' })
    const music = await channel('music', { type: 36, models: 'suno_music' })
    const ids = [good, bad].map(({ id }) => String(id))
    const { stdout, stderr, exitCode } = await world().run(['channel', 'test', ...ids])
    expect({ stderr, exitCode }).toEqual({ stderr: 'Checked 2 channels, 1 failed.', exitCode: 1 })
    expect(stdout).toMatch(/^ID +NAME +RESULT +MODEL +RESPONSE +REASON$/m)
    expect(stdout).toMatch(/^ *\d+ +good +ok +gpt-4o +\d\.\d\d s +-$/m)
    expect(stdout).toMatch(/^ *\d+ +bad +failed +sim-fail +\d\.\d\d s +status code 500: /m)

    const all = await world().run(['channel', 'test', '--all', '--json', '--concurrency', '2'])
    expect(all.exitCode).toBe(1)
    expect(JSON.parse(all.stdout)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: good.id, result: 'ok', message: '' }),
        expect.objectContaining({ id: bad.id, result: 'failed' }),
        expect.objectContaining({ id: music.id, result: 'unsupported', time: 0 }),
      ]),
    )
    await world().inside(({ channels }, root) => channels.delete(root, bad.id))
    const { stdout: rest, exitCode: well } = await world().run(['channel', 'test', '--all', '--json'])
    expect({ well, failed: JSON.parse(rest).filter(({ result }: { result: string }) => result === 'failed') }).toEqual({
      well: 0,
      failed: [],
    })
  })

  test.each(['test', 'balance'])(
    'an interrupted %s of several channels ends at once with what it has',
    async (verb) => {
      const silent = await startUpstream(() => {})
      const quick = await channel(`quick-${verb}`)
      const unanswered = await channel(`silent-${verb}`, { base_url: silent.url })
      const waiting = await channel(`never-${verb}`)
      const ids = [quick, unanswered, waiting].map(({ id }) => String(id))
      const round = interrupted(world(), ['channel', verb, ...ids, '--concurrency', '1'])
      await expect.poll(() => silent.seen).toHaveLength(1)
      const { stdout, stderr, exitCode } = await round.interrupt()
      expect(exitCode).toBe(130)
      expect(stderr).toContain('interrupted: checked 1 of 3 channels, 0 failed')
      expect(stdout).toMatch(/quick\S* +ok/)
      expect(stdout).not.toMatch(/silent|never/)
    },
  )

  test('balance queries one or several channels; a failed query affects only its channel', async () => {
    const rich = await channel('rich')
    const dumb = await channel('dumb', { type: 14, models: 'claude' })
    expect(await world().run(['channel', 'balance', String(rich.id)])).toMatchObject({ exitCode: 0, stdout: '75' })
    expect(await world().json('channel', 'balance', String(rich.id))).toEqual({ id: rich.id, balance: 75 })
    expect((await world().run(['channel', 'get', String(rich.id)])).stdout).toMatch(/^balance +75 \(/m)
    expect((await world().run(['channel', 'balance', String(dumb.id)])).exitCode).toBe(1)
    const both = await world().run(['channel', 'balance', String(rich.id), String(dumb.id)])
    expect(both).toMatchObject({ exitCode: 1, stdout: expect.stringMatching(/rich +ok +75 +-$/m) })
    expect(both.stdout).toMatch(/dumb +failed +- +\S+/)
  })

  test('--detach starts a run on the server, and is rejected without a server', async () => {
    const { stderr, exitCode } = await world().run(['channel', 'balance', '--all', '--detach'])
    if (kind === 'database')
      expect({ stderr, exitCode }).toEqual({ stderr: expect.stringContaining('--server'), exitCode: 2 })
    else expect(exitCode).toBe(0)
    const test = await world().run(['channel', 'test', '--all', '--detach'])
    expect(test.exitCode).toBe(kind === 'database' ? 2 : 0)
  })

  test('models lists added and removed models; the channel changes only after confirmation', async () => {
    const { id } = await channel('lister', { models: 'sim-chat,mine' })
    const models = (...words: string[]) => world().run(['channel', 'models', String(id), ...words])
    const served = async () => (await world().json('channel', 'get', String(id))).models
    const { stdout } = await models()
    expect(stdout).toMatch(/^sim-chat +served$/m)
    expect(stdout).toMatch(/^sim-fail +new$/m)
    expect(stdout).toMatch(/^mine +gone$/m)
    expect(await models('--apply')).toMatchObject({ exitCode: 2, stdout: '' })
    expect(await served()).toBe('sim-chat,mine')
    expect((await models('--apply', '--yes')).stderr).toMatch(/^\+ sim-fail$/m)
    expect((await served()).split(',')).toEqual(['sim-chat', 'mine', ...SIMULATED_MODELS.slice(1)])
    expect((await models('--replace', '--yes')).stderr).toMatch(/^- mine$/m)
    expect(await served()).toBe(SIMULATED_MODELS.join(','))
    expect((await models('--replace')).exitCode).toBe(0)
    expect((await models('--replace', '--apply')).exitCode).toBe(2)
  })

  test('models queries an upstream that is not a channel', async () => {
    const words = ['channel', 'models', '--type', 'openai', '--base-url', world().upstream, '--key-stdin']
    const { stdout } = await world().run([...words, '--json'], { input: 'sk-any\n' })
    expect(JSON.parse(stdout)).toContainEqual({ model: 'sim-chat', state: 'new' })
    expect((await world().run(['channel', 'models', '--type', 'no-such-type', '--key', 'k'])).exitCode).toBe(2)
    expect((await world().run(['channel', 'models', '--type', 'openai', '--apply', '--key', 'k'])).exitCode).toBe(2)
    expect((await world().run(['channel', 'models'])).exitCode).toBe(2)
  })
})
