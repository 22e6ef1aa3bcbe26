import { expect, test } from 'vitest'
import { onBoth } from '../../support/toolkit.ts'

const OWNER = { userId: 1, tokenId: 1 }
const HOUR = 3600
const message = (id: string, text: string) => ({
  id,
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text }],
})
const responseOf = (id: string, text = 'Hi') => ({ id, object: 'response', output: [message(`msg_${id}`, text)] })
const userMessage = (text: string) => [{ type: 'message', role: 'user', content: [{ type: 'input_text', text }] }]
const made = (id: string, more: object = {}) => ({ id, response: responseOf(id), input: userMessage(id), ...more })

onBoth('the response store', (open) => {
  const openAt = async (start = 1_800_000_000) => {
    let now = start
    const fixture = await open({ now: () => now })
    const pass = (seconds: number) => {
      now += seconds
    }
    return { ...fixture, responses: fixture.toolkit.responses, pass }
  }

  test('finds a chain from its oldest response', async () => {
    const { responses } = await openAt()
    await responses.add(OWNER, made('a'))
    await responses.add(OWNER, made('b', { previousId: 'a' }))
    await responses.add(OWNER, made('c', { previousId: 'b' }))
    const chain = await responses.findChain(OWNER, 'c')
    expect(chain?.map(({ response }) => response?.id)).toEqual(['a', 'b', 'c'])
    expect(await responses.findChain(OWNER, 'x')).toBeUndefined()
    expect(await responses.findChain({ userId: 1, tokenId: 2 }, 'c')).toBeUndefined()
    expect(await responses.findChain({ userId: 2, tokenId: 1 }, 'c')).toBeUndefined()
  })

  test('does not continue a chain with a missing part', async () => {
    const { responses } = await openAt()
    await responses.add(OWNER, made('a'))
    await responses.add(OWNER, made('b', { previousId: 'a' }))
    expect(await responses.delete(OWNER, 'a')).toBe(true)
    expect(await responses.findChain(OWNER, 'b')).toBeUndefined()
    expect(await responses.find(OWNER, 'b')).toBeDefined()
  })

  test('keeps used ones, and removes unused ones', async () => {
    const { responses, pass, toolkit } = await openAt()
    await responses.add(OWNER, made('used'))
    await responses.add(OWNER, made('unused'))
    const row = await responses.find(OWNER, 'used')
    pass(20 * HOUR)
    await responses.add(OWNER, made('next', { previousId: 'used', uses: [row?.rowId] }))
    pass(10 * HOUR)
    expect(await responses.find(OWNER, 'unused')).toBeUndefined()
    expect(await responses.findChain(OWNER, 'next')).toHaveLength(2)
    expect(await responses.trim()).toBe(1)
    pass(24 * HOUR)
    expect(await responses.trim()).toBe(2)
    expect(await toolkit.db.reader('stored_response_items').select()).toEqual([])
  })

  test('stores a too large response without its pictures, and lists them', async () => {
    const { responses } = await openAt()
    const image_url = `data:image/png;base64,${'A'.repeat(9 * 1024 * 1024)}`
    const input = [
      {
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_text', text: 'Look' },
          { type: 'input_image', image_url },
        ],
      },
    ]
    expect(await responses.add(OWNER, { ...made('a'), input })).toBe(true)
    const response = await responses.find(OWNER, 'a')
    expect(response?.omitted).toEqual(['input[0].content[1]'])
    expect(response?.input).toMatchObject([
      { content: [{ text: 'Look' }, { type: 'input_text', text: expect.stringContaining('too large') }] },
    ])
    const drawn = {
      id: 'b',
      output: [{ id: 'ig_1', type: 'image_generation_call', result: 'A'.repeat(9 * 1024 * 1024) }],
    }
    await responses.add(OWNER, { ...made('b'), response: drawn })
    expect(await responses.find(OWNER, 'b')).toMatchObject({
      omitted: ['output[0].result'],
      response: { output: [{ result: null }] },
    })
  })

  test('stores no too large text', async () => {
    const { responses } = await openAt()
    expect(await responses.add(OWNER, { ...made('a'), input: userMessage('x'.repeat(9 * 1024 * 1024)) })).toBe(false)
    expect(await responses.find(OWNER, 'a')).toBeUndefined()
  })

  test('measures bytes, not characters', async () => {
    const { responses, toolkit } = await openAt()
    const threeBytes = '\u6c49'
    expect(await responses.add(OWNER, { ...made('a'), input: userMessage(threeBytes.repeat(3 * 1024 * 1024)) })).toBe(
      false,
    )
    await responses.add(OWNER, { ...made('b'), input: userMessage('x'.repeat(300)) })
    await responses.add(OWNER, { ...made('c'), input: userMessage(threeBytes.repeat(100)) })
    await responses.edit(OWNER, 'c', (content) => content)
    const sizes: number[] = await toolkit.db.reader('stored_responses').orderBy('id').pluck('bytes')
    expect(sizes).toEqual([sizes[0], sizes[0]])
  })

  test('limits an edit like a new response', async () => {
    const { responses } = await openAt()
    await responses.add(OWNER, made('a'))
    const image_url = `data:image/png;base64,${'A'.repeat(9 * 1024 * 1024)}`
    const edited = await responses.edit(OWNER, 'a', (content) => ({
      ...content,
      input: [{ type: 'message', role: 'user', content: [{ type: 'input_image', image_url }] }],
    }))
    expect(edited?.omitted).toEqual(['input[0].content[0]'])
    expect(edited).toEqual(await responses.find(OWNER, 'a'))
    const tooLong = responses.edit(OWNER, 'a', (content) => ({
      ...content,
      input: userMessage('x'.repeat(9 * 1024 * 1024)),
    }))
    await expect(tooLong).rejects.toMatchObject({ code: 'REQUEST_TOO_LARGE', params: { max: 8 * 1024 * 1024 } })
    expect(await responses.find(OWNER, 'a')).toEqual(edited)
  })

  test('always has room for the end of a background response', async () => {
    const { responses } = await openAt()
    const queued = { response: { ...responseOf('a'), status: 'queued' }, nodeId: 'node' }
    const sizeOf = (text: string) => JSON.stringify({ ...queued, input: userMessage(text), omitted: [] }).length
    const filled = (left: number) => userMessage('x'.repeat(8 * 1024 * 1024 - left - sizeOf('')))
    expect(await responses.add(OWNER, { ...made('a'), ...queued, input: filled(100) })).toBe(false)
    expect(await responses.add(OWNER, { ...made('a'), ...queued, input: filled(1024) })).toBe(true)
    const end = { status: 'failed', error: { code: 'server_error', message: 'x'.repeat(200) } }
    const isEnded = responses.finish(OWNER, {
      ...{ id: 'a', nodeId: 'node', input: filled(1024) },
      response: { ...queued.response, ...end },
    })
    expect(await isEnded).toBe(true)
  })

  test('rejects a too long chain before reading it', async () => {
    const { responses } = await openAt()
    const input = userMessage('x'.repeat(7 * 1024 * 1024))
    for (const [at, id] of ['a', 'b', 'c', 'd', 'e'].entries()) {
      await responses.add(OWNER, { ...made(id, at > 0 ? { previousId: 'abcde'[at - 1] } : {}), input })
    }
    expect(await responses.findChain(OWNER, 'd')).toHaveLength(4)
    await expect(responses.findChain(OWNER, 'e')).rejects.toMatchObject({ code: 'CONTEXT_TOO_LONG' })
  })

  test('removes the oldest of a user above the limit, and nothing of others', async () => {
    const { responses, toolkit, root } = await openAt()
    await toolkit.options.set(root, 'ResponseStoreMegabytes', '1')
    const input = userMessage('x'.repeat(400 * 1024))
    for (const id of ['a', 'b', 'c']) await responses.add(OWNER, { ...made(id), input })
    await responses.add({ userId: 2, tokenId: 2 }, { ...made('a'), input })
    expect(await responses.trim()).toBe(1)
    expect(await responses.find(OWNER, 'a')).toBeUndefined()
    expect(await responses.find(OWNER, 'b')).toBeDefined()
    expect(await responses.find({ userId: 2, tokenId: 2 }, 'a')).toBeDefined()
  })

  test('stores the concurrent additions of 50 requests', async () => {
    const { responses } = await openAt()
    const ids = Array.from({ length: 50 }, (_, at) => `r${at}`)
    await Promise.all(ids.map((id) => responses.add(OWNER, made(id))))
    const items = await responses.findItems(
      OWNER,
      ids.map((id) => `msg_${id}`),
    )
    expect(items.size).toBe(50)
  })

  test('finds items by id, the first of several with the same one', async () => {
    const { responses } = await openAt()
    await responses.add(OWNER, made('a'))
    await responses.add(OWNER, { ...made('b'), response: { id: 'b', output: [message('msg_a', 'Later')] } })
    const items = await responses.findItems(OWNER, ['msg_a', 'msg_none'])
    expect([...items.keys()]).toEqual(['msg_a'])
    expect(items.get('msg_a')?.item).toMatchObject({ content: [{ text: 'Hi' }] })
  })
})
