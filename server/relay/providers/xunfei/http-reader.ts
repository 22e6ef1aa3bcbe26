import { chatReader } from '../openai/chat-reader.ts'
import type { ReplyReader } from '../provider.ts'
import { replyErrorOf, withTroubles } from '../trouble.ts'
import { SPARK_TROUBLES, sparkError } from './errors.ts'

/** Reads Spark's chat completions: OpenAI's, with a code of its own beside them. https://www.xfyun.cn/doc/spark/HTTP.html */
export function sparkHttpReader(): ReplyReader {
  const reader = withTroubles(chatReader(), SPARK_TROUBLES)
  return {
    event(event) {
      const error = event.chunk && sparkError(event.chunk)
      return error ? [{ kind: 'error', error: replyErrorOf(error) }] : reader.event(event)
    },
    whole(body) {
      const error = sparkError(body)
      return error ? [{ kind: 'error', error: replyErrorOf(error) }] : reader.whole(body)
    },
  }
}
