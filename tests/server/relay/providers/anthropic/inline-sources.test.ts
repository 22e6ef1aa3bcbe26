import { expect, test } from 'vitest'
import { withInlineSources } from '../../../../../server/relay/providers/anthropic/inline-sources.ts'

const image = (url: string) => ({ type: 'image', source: { type: 'url', url } })
const inlined = (url: string) => ({
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data: Buffer.from(url).toString('base64') },
})
const user = (...content: unknown[]) => ({ role: 'user', content })

function means() {
  const requests: [url: string, uses: number | undefined][] = []
  const media = async (url: string, uses?: number) => {
    requests.push([url, uses])
    return { data: Buffer.from(url), mime: 'image/png' }
  }
  return { requests, media }
}

test('every URL is downloaded once, in tool results and documents of blocks too', async () => {
  const [url, other] = ['https://a.example/1', 'https://a.example/2']
  const blocksOf = (block: unknown) => [
    { type: 'text', text: 'Look' },
    { type: 'tool_result', tool_use_id: 'c', content: [block] },
    { type: 'document', source: { type: 'content', content: [block] } },
  ]
  const { requests, media } = means()
  const body = { model: 'm', messages: [user(image(url), ...blocksOf(image(other))), user(image(url))] }

  expect(await withInlineSources(body, { download: media })).toEqual({
    model: 'm',
    messages: [user(inlined(url), ...blocksOf(inlined(other))), user(inlined(url))],
  })
  expect(requests).toEqual([
    [url, 2],
    [other, 2],
  ])
})

test('other sources are unchanged, and data URLs need no download', async () => {
  const { requests, media } = means()
  const others = [
    { type: 'image', source: { type: 'base64', media_type: 'image/gif', data: 'AAAA' } },
    { type: 'document', source: { type: 'file', file_id: 'f' } },
    { type: 'tool_use', id: 'c', name: 'f', input: image('https://a.example/1') },
  ]
  expect(await withInlineSources([user(...others)], { download: media })).toEqual([user(...others)])
  expect(await withInlineSources([image('data:image/png;base64,AAAA')], { download: media })).toEqual([
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
  ])
  expect(requests).toEqual([])
})

test('more URLs than a translated request may name are rejected before any download', async () => {
  const { requests, media } = means()
  const many = Array.from({ length: 65 }, (_, at) => image(`https://a.example/${at}`))
  await expect(withInlineSources([user(...many)], { download: media })).rejects.toMatchObject({ code: 'MEDIA_REFUSED' })
  expect(requests).toEqual([])
})
