import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { createWordWrap } from '../../../cli/chat/word-wrap.ts'
import { run } from '../../../cli/main.ts'
import { type Exchange, startUpstream } from '../../support/hand-made-upstream.ts'
import { shared } from '../../support/lifetime.ts'
import { BACKINGS, openBacking } from '../backings.ts'

const USAGE = { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 }

/** What the last message says is what the upstream does. */
function answer({ body, response }: Exchange): void {
  const messages = body.messages as { role: string; content: string }[]
  const last = messages.at(-1)?.content ?? ''
  if (last === 'fail') {
    response.writeHead(400, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ error: { message: 'no such thing', type: 'x', param: null, code: 'bad' } }))
    return
  }
  const content =
    last === 'count' ? `heard ${messages.length}` : last === 'steer' ? 'a\u001b[2Jb\n' : `you said ${last}`
  if (!body.stream) {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(
      JSON.stringify({
        id: 'c',
        model: 'm',
        choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
        usage: USAGE,
      }),
    )
    return
  }
  const chunk = (delta: object, rest: object = {}) =>
    response.write(`data: ${JSON.stringify({ id: 'c', model: 'm', choices: [{ index: 0, delta }], ...rest })}\n\n`)
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const half = Math.ceil(content.length / 2)
  chunk({ content: content.slice(0, half) })
  if (last === 'break') return void setImmediate(() => response.destroy())
  if (last === 'wait') return
  chunk({ content: content.slice(half) }, { usage: USAGE })
  response.end('data: [DONE]\n\n')
}

describe.each(BACKINGS)('chat, on a %s', (kind) => {
  const world = shared(async () => {
    const upstream = await startUpstream(answer)
    const opened = await openBacking(kind)
    const key = await opened.inside(async (toolkit, root) => {
      await toolkit.options.set(root, 'ModelRatio', '{"m":3,"vip-m":3}')
      await toolkit.options.set(root, 'CompletionRatio', '{"m":7}')
      await toolkit.options.set(root, 'GroupRatio', '{"default":1,"vip":2,"svip":1}')
      const shared = { type: 1, key: 'k', base_url: upstream.url }
      await toolkit.channels.create(root, { ...shared, name: 'one', models: 'm' })
      await toolkit.channels.create(root, { ...shared, name: 'two', models: 'm', group: 'vip' })
      return (await toolkit.tokens.create(root, { name: 'app', unlimited_quota: true })).key
    })
    return { ...opened, upstream, key: `sk-${key}` }
  })
  const spent = async () => (await world().json('log', 'list', '--limit', '1')).items[0]
  /** A chat on a terminal: what is typed, once the text before it was seen on stderr or stdout. */
  async function talk(steps: readonly (readonly [await: string, type: string])[], words: string[] = []) {
    const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
    const streams = [stdin, stdout, stderr].map((stream) =>
      Object.assign(stream, { isTTY: true as const, columns: 200 }),
    )
    const [input = stdin] = streams
    const seen = { stdout: '', stderr: '', all: '' }
    for (const [name, stream] of [
      ['stdout', stdout],
      ['stderr', stderr],
    ] as const) {
      stream.on('data', (chunk: Buffer) => {
        seen[name] += chunk.toString()
        seen.all += chunk.toString()
      })
    }
    const { env, folder } = world()
    const io = {
      stdin: Object.assign(input, { isTTY: true }),
      stdout: Object.assign(stdout, { isTTY: true as const }),
      stderr: Object.assign(stderr, { isTTY: true as const }),
      env,
      folder,
    }
    const ended = run(['chat', '--model', 'm', ...words], io)
    let from = 0
    for (const [awaited, typed] of steps) {
      await expect.poll(() => seen.all.indexOf(awaited, from), { timeout: 10_000, interval: 10 }).toBeGreaterThan(-1)
      from = seen.all.length
      stdin.write(typed)
    }
    return { exitCode: await ended, ...seen }
  }

  test('a prompt is answered on stdout, as a stream or whole, and charged', async () => {
    expect(await world().run(['chat', '--model', 'm', 'hello', 'there'])).toEqual({
      stdout: 'you said hello there',
      stderr: '',
      exitCode: 0,
    })
    expect(await spent()).toMatchObject({ quota: 3 * (5 + 2 * 7), token_name: 'playground-default' })
    expect((await world().run(['chat', '--model', 'm', '--no-stream', 'hello'])).stdout).toBe('you said hello')
    expect(world().upstream.seen.at(-1)?.body.stream ?? false).toBe(false)
  })

  test('stdin is the prompt, and replaces - in a prompt', async () => {
    expect((await world().run(['chat', '--model', 'm'], { input: 'piped\n' })).stdout).toBe('you said piped')
    const { stdout } = await world().run(['chat', '--model', 'm', 'sum up:', '-'], { input: 'text\n' })
    expect(stdout).toBe('you said sum up: text')
    expect((await world().run(['chat', '--model', 'm'])).exitCode).toBe(2)
  })

  test('--json prints the whole reply with usage and price, and the options reach the upstream', async () => {
    const words = ['chat', '--model', 'm', '--system', 'be brief', '--temperature', '0.5', '--max-tokens', '9']
    expect(await world().json(...words, '--group', 'vip', 'hello')).toEqual({
      content: 'you said hello',
      model: 'm',
      finish_reason: 'stop',
      usage: expect.objectContaining({ prompt_tokens: 5, completion_tokens: 2 }),
      request_id: expect.stringMatching(/./),
      quota: 2 * 3 * (5 + 2 * 7),
    })
    expect(world().upstream.seen.at(-1)?.body).toMatchObject({
      messages: [
        { role: 'system', content: 'be brief' },
        { role: 'user', content: 'hello' },
      ],
      temperature: 0.5,
      max_tokens: 9,
    })
  })

  test('an API key can pay instead, read from a file to keep it out of the process list', async () => {
    await writeFile(join(world().folder, 'key'), `${world().key}\n`)
    const words = ['chat', '--model', 'm', '--key-file', 'key', 'hello']
    expect((await world().run(words)).stdout).toBe('you said hello')
    expect(await spent()).toMatchObject({ token_name: 'app' })
    const wrong = await world().run(['chat', '--model', 'm', '--key', 'sk-wrong', 'hello'])
    expect({ exitCode: wrong.exitCode, stdout: wrong.stdout }).toEqual({ exitCode: 4, stdout: '' })
    expect((await world().run([...words, '--group', 'vip'])).exitCode).toBe(2)
  })

  test.each([
    [['--model', 'unknown-model', 'hello'], 3, /unknown-model/],
    [['--model', 'm', '--group', 'svip', 'hello'], 4, /svip/],
    [['--model', 'm', 'fail'], 2, /no such thing/],
    [['--model', 'm', '--temperature', '3', 'hello'], 2, /temperature/],
    [['--model', 'm', '--key', 'a', '--key-file', 'b', 'hello'], 2, /--key/],
  ])('%j is rejected with one line and exit code %d', async (words, exitCode, reason) => {
    const outcome = await world().run(['chat', ...words])
    expect(outcome).toMatchObject({ stdout: '', exitCode })
    expect(outcome.stderr).toMatch(reason)
    expect(outcome.stderr.split('\n')).toHaveLength(1)
  })

  test('a truncated reply is a failure, and its text is printed', async () => {
    const { stdout, stderr, exitCode } = await world().run(['chat', '--model', 'm', 'break'])
    expect({ stdout, exitCode }).toEqual({ stdout: 'you sai', exitCode: 1 })
    expect(stderr.split('\n')).toHaveLength(1)
    expect(stderr).toMatch(/^error: /)
  })

  test('without --model the only available model is used', async () => {
    expect((await world().run(['chat', 'hello'])).stdout).toBe('you said hello')
  })

  test('a chat remembers, forgets and saves, shows its price, and restores the terminal', async () => {
    const file = `chat-${kind}.md`
    const { exitCode, stdout, stderr } = await talk([
      ['/quit', 'hello \\\nagain\r'],
      ['tokens', 'count\r'],
      ['tokens', `/save ${file}\r`],
      ['Wrote 4 messages', `/save ${file}\r`],
      ['EEXIST', '/clear\r'],
      ['Cleared', 'count\r'],
      ['tokens', '/retry\r'],
      ['tokens', 'fail\r'],
      ['no such thing', '/bogus\r'],
      ['Unknown command /bogus', '/quit\r'],
    ])
    expect(exitCode).toBe(0)
    expect(stdout).toBe('you said hello\nagain\nheard 3\nheard 1\nheard 1\n')
    expect(stderr).toContain('5 + 2 tokens, 57 ($0.000114)')
  })

  test('lines that were pasted after /quit are not sent', async () => {
    const asked = world().upstream.seen.length
    const { exitCode, stdout } = await talk([['/quit', 'one\r/quit\rtwo\rthree\r']])
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'you said one\n' })
    expect(world().upstream.seen.length - asked).toBe(1)
  })

  test('Ctrl-C stops the reply; a second Ctrl-C exits', async () => {
    const { exitCode, stdout, stderr } = await talk([
      ['/quit', 'wait\r'],
      // What may not be a whole word yet is held back.
      ['you', '\u0003'],
      ['Stopped', '\u0003'],
      ['Ctrl-C again', '\u0003'],
    ])
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'you sai\n' })
    expect(stderr).toContain('Stopped.')
  })

  test("a model's output cannot send control sequences to the terminal", async () => {
    const { stdout } = await talk([
      ['/quit', 'steer\r'],
      ['tokens', '\u0004'],
    ])
    expect(stdout).toBe('a[2Jb\n')
  })
})

test('a streamed reply wraps between words, and code does not wrap', () => {
  const wrapped = (width: number, ...pieces: string[]) => {
    let written = ''
    const wrap = createWordWrap(width, (text) => {
      written += text
    })
    for (const piece of pieces) wrap.take(piece)
    const before = written
    wrap.end()
    return { before, written }
  }
  expect(wrapped(10, 'one two th', 'ree four')).toEqual({ before: 'one two\nthree', written: 'one two\nthree four' })
  expect(wrapped(10, '  - 监听端口，', '默认\n\nend').written).toBe('  - 监听端\n口，默认\n\nend')
  expect(wrapped(5, 'a 0123456', '789 b').written).toBe('a\n0123456789\nb')
  expect(wrapped(5, '```\nconst a = 1\n```\nab cd ef').written).toBe('```\nconst a = 1\n```\nab cd\nef')
})
