import { expect, test } from 'vitest'
import type { Conversation, Part } from '../../../../server/relay/conversation/conversation.ts'
import { readDataUrl, withInlineMedia } from '../../../../server/relay/conversation/media.ts'

const image = (url: string): Part => ({ kind: 'image', media: { url } })
const talk = (...parts: Part[]): Conversation => ({ turns: [{ role: 'user', parts }], tools: [], extras: {} })

function means() {
  const requests: string[] = []
  return {
    requests,
    media: async (url: string) => {
      requests.push(url)
      return { data: Buffer.from(url), mime: 'image/png' }
    },
  }
}

test('every address is downloaded once, in tool results too, and other media are unchanged', async () => {
  const inline: Part = { kind: 'image', media: { data: 'AAAA', mime: 'image/gif' } }
  const result: Part = { kind: 'result', callId: 'c', parts: [image('https://a.example/1')] }
  const { requests, media } = means()

  const { turns } = await withInlineMedia(
    talk(image('https://a.example/1'), result, inline, image('gs://bucket/2'), image('https://keep.example/3')),
    { download: media },
    { keep: (url) => url.includes('keep') },
  )

  const loaded = { data: Buffer.from('https://a.example/1').toString('base64'), mime: 'image/png' }
  expect(requests).toEqual(['https://a.example/1'])
  expect(turns[0]?.parts).toEqual([
    { kind: 'image', media: loaded },
    { kind: 'result', callId: 'c', parts: [{ kind: 'image', media: loaded }] },
    inline,
    image('gs://bucket/2'),
    image('https://keep.example/3'),
  ])
})

test('more addresses than the maximum are rejected before any download', async () => {
  const { requests, media } = means()
  const many = Array.from({ length: 65 }, (_, at) => image(`https://a.example/${at}`))

  await expect(withInlineMedia(talk(...many), { download: media })).rejects.toMatchObject({ code: 'MEDIA_REFUSED' })
  expect(requests).toEqual([])
  await withInlineMedia(talk(...many.slice(1)), { download: media })
  expect(requests).toHaveLength(64)
})

test.each([
  ['data:image/jpg;base64,AAAA', { data: 'AAAA', mime: 'image/jpeg' }],
  ['data:IMAGE/PNG;charset=x;base64,AAAA', { data: 'AAAA', mime: 'image/png' }],
  ['data:,a%20b', { data: Buffer.from('a b').toString('base64'), mime: 'text/plain' }],
  ['data:,%zz', undefined],
  ['data:image/png', undefined],
  ['https://a.example/', undefined],
])('%s holds %j', (url, expected) => {
  expect(readDataUrl(url)).toEqual(expected)
})
