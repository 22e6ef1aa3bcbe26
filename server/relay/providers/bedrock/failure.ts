import type { IncomingHttpHeaders } from 'node:http'
import type { ReplyError } from '../../conversation/conversation.ts'
import { lookup, numberOf, objectOf, parseObject, textOf, wordOf } from '../../json.ts'
import type { StreamEvent } from '../../transport/events.ts'
import { failure } from '../failure.ts'
import type { Failure } from '../provider.ts'

/** Exceptions in a stream, as the statuses they would have had before it. https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ResponseStream.html */
const EXCEPTION_STATUS: Readonly<Record<string, number>> = lookup({
  internalServerException: 500,
  modelStreamErrorException: 424,
  modelTimeoutException: 408,
  serviceUnavailableException: 503,
  throttlingException: 429,
  validationException: 400,
})

/** An error answer: what went wrong stands in a header, the words in the body. */
export function bedrockFailure(status: number, body: string, headers: IncomingHttpHeaders): Failure {
  const answer = parseObject(body) ?? {}
  const kind = wordOf(headers['x-amzn-errortype'] ?? answer.__type ?? '')
    .split(':')[0]
    ?.split('#')
    .at(-1)
  const message = textOf(answer.message) ?? textOf(answer.Message) ?? `bad response status code ${status}`
  const found = failure(status, withoutAccounts(message), kind ? { type: kind, code: kind } : {})
  // A quota of this account: it comes as 400, but another account may have some left.
  return kind === 'ServiceQuotaExceededException' ? { ...found, retry: 'other-channel' } : found
}

/** The error that a frame of a stream stands for; undefined for an ordinary event. */
export function exceptionIn({ name, chunk }: Pick<StreamEvent, 'name' | 'chunk'>): ReplyError | undefined {
  const told = objectOf(chunk)
  if (name === 'error') {
    const code = textOf(told.code)
    return { message: withoutAccounts(textOf(told.message) ?? 'The stream broke off'), type: code, code, status: 500 }
  }
  if (!name.endsWith('Exception')) return undefined
  // Of an error inside the model its own server's words are told too.
  const message = textOf(told.originalMessage) ?? textOf(told.message) ?? textOf(told.Message) ?? name
  const status = numberOf(told.originalStatusCode) ?? EXCEPTION_STATUS[name] ?? 500
  return { message: withoutAccounts(message), type: name, code: name, status }
}

/** Messages about permissions name the account they are about. */
function withoutAccounts(text: string): string {
  return text.replace(/\b\d{12}\b/g, '***')
}
