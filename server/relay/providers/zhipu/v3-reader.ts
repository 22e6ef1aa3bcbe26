import { parseObject } from '../../../../core/input.ts'
import { recordOf } from '../../../../core/records.ts'
import type { ReplyEvent } from '../../conversation/conversation.ts'
import { countOf, type Json, objectsOf, textOf, wordOf } from '../../json.ts'
import type { StreamEvent } from '../../transport/events.ts'
import type { ReplyReader } from '../provider.ts'
import { textEvents, tokenUsageEvents } from '../reply-events.ts'
import { replyErrorOf } from '../vendor-error.ts'
import { ZHIPU_ERROR_KINDS, zhipuError } from './errors.ts'

/**
 * Reads replies of Zhipu's API v3. In a stream, `data:` precedes each line of the text, without a space. The last event
 * has the usage after `meta:`. https://open.bigmodel.cn/dev/api
 */
export function zhipuV3Reader(): ReplyReader {
  function event({ bytes, name, payload }: StreamEvent): ReplyEvent[] {
    const error = payload && zhipuError(payload)
    if (error) return [{ kind: 'error', error: replyErrorOf(error) }]
    const text = fieldOf(bytes, 'data')
    if (name === 'error') return [{ kind: 'error', error: errorIn(text) }]
    if (name !== 'finish' && name !== 'interrupted') return textEvents(text)
    return [
      ...textEvents(text),
      ...usageIn(parseObject(fieldOf(bytes, 'meta')) ?? {}),
      { kind: 'stop', reason: name === 'finish' ? 'stop' : 'filter' },
      { kind: 'end' },
    ]
  }

  function whole(body: Json): ReplyEvent[] {
    const error = zhipuError(body)
    if (error) return [{ kind: 'error', error: replyErrorOf(error) }]
    const data = recordOf(body.data)
    const id = textOf(data.request_id)
    const texts = objectsOf(data.choices).map(({ content }) => unquote(textOf(content) ?? ''))
    return [
      { kind: 'start', ...(id && { id }) },
      ...textEvents(texts.join('')),
      ...usageIn(data),
      { kind: 'stop', reason: 'stop' },
      { kind: 'end' },
    ]
  }

  return { event, whole }
}

/** Joins all lines of a field. Unlike in SSE, a space after the colon belongs to the text. */
function fieldOf(bytes: Buffer, field: string): string {
  return bytes
    .toString('utf8')
    .split(/\r\n|\n|\r/)
    .filter((line) => line.startsWith(`${field}:`))
    .map((line) => line.slice(field.length + 1))
    .join('\n')
}

function errorIn(text: string) {
  const { code, msg, message } = parseObject(text) ?? { message: text }
  const errorCode = wordOf(code ?? '')
  return replyErrorOf({
    code: errorCode,
    message: textOf(msg) ?? textOf(message) ?? '',
    kind: ZHIPU_ERROR_KINDS[errorCode],
  })
}

/** Decodes the content of a whole reply if the content is a JSON string. Returns other content unchanged. */
function unquote(content: string): string {
  try {
    const text: unknown = JSON.parse(content)
    return typeof text === 'string' ? text : content
  } catch {
    return content
  }
}

function usageIn({ usage }: Json): ReplyEvent[] {
  const { prompt_tokens, completion_tokens, total_tokens } = recordOf(usage)
  return tokenUsageEvents(prompt_tokens, countOf(completion_tokens) || countOf(total_tokens) - countOf(prompt_tokens))
}
