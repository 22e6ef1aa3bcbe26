import type { IncomingHttpHeaders } from 'node:http'
import { parseObject } from '../../../../core/input.ts'
import { recordOf } from '../../../../core/records.ts'
import type { ReplyError } from '../../conversation/conversation.ts'
import { lookup, numberOf, textOf, wordOf } from '../../json.ts'
import type { StreamEvent } from '../../transport/events.ts'
import { createFailure } from '../failure.ts'
import type { Failure } from '../provider.ts'

/**
 * HTTP statuses of exceptions within a stream.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ResponseStream.html
 */
const EXCEPTION_STATUS: Readonly<Record<string, number>> = lookup({
  internalServerException: 500,
  modelStreamErrorException: 424,
  modelTimeoutException: 408,
  serviceUnavailableException: 503,
  throttlingException: 429,
  validationException: 400,
})

/** Reads an error response. A header contains the error type, and the body contains the message. */
export function bedrockFailure(status: number, body: string, headers: IncomingHttpHeaders): Failure {
  const reply = parseObject(body) ?? {}
  const kind = wordOf(headers['x-amzn-errortype'] ?? reply.__type ?? '')
    .split(':')[0]
    ?.split('#')
    .at(-1)
  const message = textOf(reply.message) ?? textOf(reply.Message) ?? `bad response status code ${status}`
  const base = createFailure(status, withoutAccounts(message), kind ? { type: kind, code: kind } : {})
  // Bedrock reports an exhausted account quota with status 400. Another channel may still have quota.
  return kind === 'ServiceQuotaExceededException' ? { ...base, retry: 'other-channel' } : base
}

/** Returns the error in a stream frame, or undefined for an ordinary event. */
export function exceptionIn({ name, payload }: Pick<StreamEvent, 'name' | 'payload'>): ReplyError | undefined {
  const fields = recordOf(payload)
  if (name === 'error') {
    const code = textOf(fields.code)
    return { message: withoutAccounts(textOf(fields.message) ?? 'The stream broke off'), type: code, code, status: 500 }
  }
  if (!name.endsWith('Exception')) return undefined
  // If the model's server failed, the frame also has the original message.
  const message = textOf(fields.originalMessage) ?? textOf(fields.message) ?? textOf(fields.Message) ?? name
  const status = numberOf(fields.originalStatusCode) ?? EXCEPTION_STATUS[name] ?? 500
  return { message: withoutAccounts(message), type: name, code: name, status }
}

/** Masks AWS account numbers, which permission errors contain. */
function withoutAccounts(text: string): string {
  return text.replace(/\b\d{12}\b/g, '***')
}
