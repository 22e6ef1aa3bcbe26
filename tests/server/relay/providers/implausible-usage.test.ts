import { expect, test } from 'vitest'
import type { Json } from '../../../../server/relay/json.ts'
import { baiduChatReader } from '../../../../server/relay/providers/baidu/chat-reader.ts'
import { cozeReader } from '../../../../server/relay/providers/coze/reader.ts'
import type { ReplyReader } from '../../../../server/relay/providers/provider.ts'
import { sparkFrameReader } from '../../../../server/relay/providers/xunfei/frame-reader.ts'
import { zhipuV3Reader } from '../../../../server/relay/providers/zhipu/v3-reader.ts'

const VENDORS: [string, () => ReplyReader, (tokens: number) => Json][] = [
  ['Baidu', baiduChatReader, (tokens) => ({ result: 'hi', usage: { prompt_tokens: 1, total_tokens: 1 + tokens } })],
  [
    'Coze',
    cozeReader,
    (tokens) => ({ data: { status: 'completed', usage: { input_count: 1, output_count: tokens } } }),
  ],
  [
    'Spark',
    sparkFrameReader,
    (tokens) => ({ payload: { usage: { text: { prompt_tokens: 1, completion_tokens: tokens } } } }),
  ],
  ['Zhipu', zhipuV3Reader, (tokens) => ({ data: { usage: { prompt_tokens: 1, completion_tokens: tokens } } })],
]

test.each(VENDORS)('a usage of %s with an implausible number of tokens is ignored', (_, createReader, bodyWith) => {
  const usagesFor = (tokens: number) =>
    createReader()
      .whole(bodyWith(tokens))
      .flatMap((event) => (event.kind === 'usage' ? [event.usage] : []))

  expect(usagesFor(7)).toMatchObject([{ promptTokens: 1, completionTokens: 7 }])
  expect(usagesFor(1e15)).toEqual([])
  expect(usagesFor(Number.POSITIVE_INFINITY)).toEqual([])
})
